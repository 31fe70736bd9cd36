/// Compares values of one type by the rules of `StateDiff`, where they lie.
@usableFromInline
struct ElementComparison {
  @usableFromInline let size: Int
  private let record: TypeRecord

  @usableFromInline
  init<Element>(of type: Element.Type) {
    size = MemoryLayout<Element>.size
    record = .of(type, source: .preferred)
  }

  /// Whether two values are the same. Both pointers must point to initialised values of the type.
  @usableFromInline
  func areEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer) -> Bool { record.areEqual(a, b, depth: 0) }

  /// Whether two values have the same bits, padding included: they are the same then, their identities too.
  @inlinable @inline(__always)
  func haveEqualBits(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer) -> Bool {
    a.hasSameBytes(as: b, count: size)
  }
}
