import Synchronization

/// Compares by `==`, and looks into the values where `==` may see a difference that does not count.
///
/// Such a difference is NaN, which is unequal to itself, or a hidden property, which `==` made by the compiler
/// includes.
final class EquatableComparison: Comparison, @unchecked Sendable {
  private let record: TypeRecord
  private let structural: Comparison
  /// A closure rather than a generic class, so that it can be compiled for a known type. It captures
  /// nothing but that type, so any thread may call it.
  private let areEqual: (UnsafeRawPointer, UnsafeRawPointer) -> Bool
  private let finality = Atomic<UInt8>(0)

  init(
    record: TypeRecord,
    structural: Comparison,
    areEqual: @escaping (UnsafeRawPointer, UnsafeRawPointer) -> Bool
  ) {
    self.record = record
    self.structural = structural
    self.areEqual = areEqual
  }

  override func surelyDiffer(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, hint: inout String?) -> Bool {
    structural.surelyDiffer(a, b, hint: &hint)
  }

  override func areEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, depth: Int) -> Bool {
    if areEqual(a, b) { return true }
    return isFinal ? false : structural.areEqual(a, b, depth: depth)
  }

  /// Worked out when first needed: a recursive type would never come to an end in `init`.
  private var isFinal: Bool {
    let known = finality.load(ordering: .relaxed)
    if known != 0 { return known == 1 }
    var visited: Set<ObjectIdentifier> = []
    let isFinal = !record.mayHideDifferences(visited: &visited)
    finality.store(isFinal ? 1 : 2, ordering: .relaxed)
    return isFinal
  }
}

extension Comparison {
  @inline(__always)
  static func equatable<Value: Equatable>(
    _ type: Value.Type,
    record: TypeRecord,
    structural: Comparison
  ) -> Comparison {
    EquatableComparison(record: record, structural: structural) { a, b in
      a.assumingMemoryBound(to: Value.self).pointee == b.assumingMemoryBound(to: Value.self).pointee
    }
  }
}
