import Synchronization

/// Compares by `==`, and looks into the values where `==` may see a difference that does not count.
///
/// Such a difference is NaN, which is unequal to itself, or a hidden property, which `==` made by the compiler
/// includes.
final class EquatableComparison<Value: Equatable>: Comparison, @unchecked Sendable {
  private let record: TypeRecord
  private let structural: Comparison
  private let finality = Atomic<UInt8>(0)

  init(record: TypeRecord, structural: Comparison) {
    self.record = record
    self.structural = structural
  }

  override func areEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, depth: Int) -> Bool {
    if structural.surelyDiffer(a, b) { return false }
    if a.assumingMemoryBound(to: Value.self).pointee == b.assumingMemoryBound(to: Value.self).pointee {
      return true
    }
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
  static func equatable<Value: Equatable>(
    _ type: Value.Type,
    record: TypeRecord,
    structural: Comparison
  ) -> Comparison {
    EquatableComparison<Value>(record: record, structural: structural)
  }
}
