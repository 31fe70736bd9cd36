/// Compares arrays element by element.
final class ArrayComparison<Elements: RandomAccessCollection>: Comparison, @unchecked Sendable {
  private let element: TypeRecord

  init(way: LayoutWay) { element = .of(Elements.Element.self, way: way) }

  override func areEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, depth: Int) -> Bool {
    let a = a.assumingMemoryBound(to: Elements.self).pointee
    let b = b.assumingMemoryBound(to: Elements.self).pointee
    guard a.count == b.count else { return false }
    let inPlace = a.withContiguousStorageIfAvailable { a in
      b.withContiguousStorageIfAvailable { b in
        a.isEmpty || a.baseAddress == b.baseAddress || areEqual(a, b, depth: depth)
      }
    }
    return inPlace.flatMap { $0 } ?? zip(a, b).allSatisfy { areEqual($0, $1, depth: depth) }
  }

  private func areEqual(
    _ a: UnsafeBufferPointer<Elements.Element>,
    _ b: UnsafeBufferPointer<Elements.Element>,
    depth: Int
  ) -> Bool {
    guard let aStart = a.baseAddress, let bStart = b.baseAddress else { return true }
    return a.indices.allSatisfy { element.areEqual(aStart + $0, bStart + $0, depth: depth + 1) }
  }

  private func areEqual(_ a: Elements.Element, _ b: Elements.Element, depth: Int) -> Bool {
    withUnsafePointer(to: a) { a in
      withUnsafePointer(to: b) { b in element.areEqual(a, b, depth: depth + 1) }
    }
  }
}

extension Array: ContentCompared {
  static func contentComparison(way: LayoutWay) -> Comparison { ArrayComparison<Self>(way: way) }
  static func contentContainer(way: LayoutWay) -> Container { Container() }
  static func contentRecords(way: LayoutWay) -> [TypeRecord] { [.of(Element.self, way: way)] }
}

extension ContiguousArray: ContentCompared {
  static func contentComparison(way: LayoutWay) -> Comparison { ArrayComparison<Self>(way: way) }
  static func contentContainer(way: LayoutWay) -> Container { Container() }
  static func contentRecords(way: LayoutWay) -> [TypeRecord] { [.of(Element.self, way: way)] }
}

extension ArraySlice: ContentCompared {
  static func contentComparison(way: LayoutWay) -> Comparison { ArrayComparison<Self>(way: way) }
  static func contentContainer(way: LayoutWay) -> Container { Container() }
  static func contentRecords(way: LayoutWay) -> [TypeRecord] { [.of(Element.self, way: way)] }
}
