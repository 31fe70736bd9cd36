/// Compares optionals by content, where it lies.
final class OptionalComparison<Wrapped>: Comparison, @unchecked Sendable {
  private let content = TypeRecord.of(Wrapped.self)

  override func areEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, depth: Int) -> Bool {
    switch (Wrapped?.isNil(at: a), Wrapped?.isNil(at: b)) {
    case (true, true): true
    // What an optional holds lies at its beginning, as it is.
    case (false, false): content.areEqual(a, b, depth: depth + 1)
    default: false
    }
  }
}

extension Optional: ContentCompared {
  package static func contentComparison() -> Comparison {
    OptionalComparison<Wrapped>()
  }
  package static func contentContainer() -> Container {
    OptionalContainer<Wrapped>()
  }
  package static func contentRecords() -> [TypeRecord] {
    [.of(Wrapped.self)]
  }
}
