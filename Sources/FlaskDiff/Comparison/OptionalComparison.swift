/// Compares optionals by content.
final class OptionalComparison<Wrapped>: Comparison, @unchecked Sendable {
  private let content: TypeRecord

  init(way: LayoutWay) { content = .of(Wrapped.self, way: way) }

  override func areEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, depth: Int) -> Bool {
    switch (
      a.assumingMemoryBound(to: Wrapped?.self).pointee, b.assumingMemoryBound(to: Wrapped?.self).pointee
    ) {
    case (nil, nil): true
    case (let a?, let b?):
      withUnsafePointer(to: a) { a in
        withUnsafePointer(to: b) { b in content.areEqual(a, b, depth: depth + 1) }
      }
    default: false
    }
  }
}

extension Optional: ContentCompared {
  static func contentComparison(way: LayoutWay) -> Comparison { OptionalComparison<Wrapped>(way: way) }
  static func contentContainer(way: LayoutWay) -> Container { OptionalContainer<Wrapped>(way: way) }
  static func contentRecords(way: LayoutWay) -> [TypeRecord] { [.of(Wrapped.self, way: way)] }
}
