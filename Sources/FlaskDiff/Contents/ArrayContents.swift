/// An array: compared element by element.
final class ArrayContents<Elements: RandomAccessCollection>: Contents, @unchecked Sendable {
  private let element = TypeRecord.of(Elements.Element.self)

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

extension ContentCompared where Self: Sequence {
  package static func contentRecords() -> [TypeRecord] { [.of(Element.self)] }
}

extension ContentCompared where Self: RandomAccessCollection {
  package static func makeContents() -> Contents { ArrayContents<Self>() }
}

extension Array: ContentCompared {}
extension ContiguousArray: ContentCompared {}
extension ArraySlice: ContentCompared {}

extension Set: ContentCompared {
  /// Returns the object that compares two sets. For elements that are unequal to themselves, such as NaN, it compares
  /// only how many of them the sets have.
  package static func makeContents() -> Contents {
    ComparedByClosure { a, b, _ in
      let a = a.assumingMemoryBound(to: Set<Element>.self).pointee
      let b = b.assumingMemoryBound(to: Set<Element>.self).pointee
      guard a.count == b.count else { return false }
      let irreflexive = a.reduce(0) { $0 + ($1 == $1 ? 0 : 1) }
      if irreflexive == 0 { return a.isSubset(of: b) }
      return irreflexive == b.reduce(0) { $0 + ($1 == $1 ? 0 : 1) }
        && a.allSatisfy { $0 != $0 || b.contains($0) }
    }
  }
}
