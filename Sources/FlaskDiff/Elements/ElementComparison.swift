/// Compares values of one type in place, by the rules of `StateDiff`. The data by which the type is compared is looked
/// up once.
@usableFromInline
package struct ElementComparison {
  @usableFromInline let size: Int
  private let record: TypeRecord

  @usableFromInline
  package init<Element>(of type: Element.Type) {
    size = MemoryLayout<Element>.size
    record = .of(type)
  }

  /// Whether two values are the same. Both addresses must point to values of the type.
  @usableFromInline
  package func areEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer) -> Bool {
    record.areEqual(a, b, depth: 0)
  }

  /// Whether two values have the same bits, including padding. In this case the values are equal, and so are their
  /// identities.
  @inlinable @inline(__always)
  package func haveEqualBits(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer) -> Bool {
    a.hasSameBytes(as: b, count: size)
  }
}
