/// Compares structs by their visible stored properties, `Equatable` or not.
///
/// Where only properties differ whose values can't be compared, such as objects without an `==`, that of the struct
/// decides. A struct that has hidden properties only is the same as any other, unless it has an `==` to say otherwise.
/// One whose properties can't be had is left to its `==`, or else to its bits.
final class StructComparison: Comparison, @unchecked Sendable {
  private let record: TypeRecord
  private let equality: ((UnsafeRawPointer, UnsafeRawPointer) -> Bool)?

  init(record: TypeRecord, equality: ((UnsafeRawPointer, UnsafeRawPointer) -> Bool)? = nil) {
    self.record = record
    self.equality = equality
  }

  override func areEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, depth: Int) -> Bool {
    let fields = record.fields
    if fields.compared.isEmpty { return equality?(a, b) ?? fields.areAllHidden }
    var isInDoubt = false
    for field in fields.compared {
      let isSame = field.record._withUnsafeGuaranteedRef {
        $0.areEqual(a + field.offset, b + field.offset, depth: depth + 1)
      }
      if isSame { continue }
      if equality == nil || field.record._withUnsafeGuaranteedRef({ $0.isComparable }) { return false }
      isInDoubt = true
    }
    return isInDoubt ? equality?(a, b) ?? false : true
  }

  override func areEqualUnwalked(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer) -> Bool {
    equality?(a, b) ?? false
  }
}

/// Compares the storage of property wrappers that compute their values from it: by all stored properties of structs,
/// hidden ones included.
final class StorageComparison: Comparison, @unchecked Sendable {
  private let record: TypeRecord

  init(of record: TypeRecord) { self.record = record }

  override func areEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, depth: Int) -> Bool {
    Self.areEqual(record, a, b, depth: depth)
  }

  private static func areEqual(
    _ record: TypeRecord,
    _ a: UnsafeRawPointer,
    _ b: UnsafeRawPointer,
    depth: Int
  ) -> Bool {
    let all = depth < TypeRecord.deepest ? record.fields.fields : []
    if all.isEmpty { return record.areEqual(a, b, depth: depth) }
    return all.allSatisfy { areEqual($0.record, a + $0.offset, b + $0.offset, depth: depth + 1) }
  }
}

extension TypeRecord {
  /// Whether different values of the type are surely different: their type says so, or what they consist of.
  fileprivate final var isComparable: Bool {
    if isEquatable || isWalkedStruct { return true }
    if let contents = contentRecords { return contents.allSatisfy(\.isComparable) }
    return kind == .tuple || kind == .enum
  }
}

/// Compares tuples by their elements, where they lie.
final class TupleComparison: Comparison, @unchecked Sendable {
  private let elements: [(record: TypeRecord, offset: Int)]

  init(elements: [(record: TypeRecord, offset: Int)]) { self.elements = elements }

  /// - Parameter type: A tuple, as generic code holds it.
  convenience init(type: Any.Type) {
    self.init(
      elements: TypeKind.elements(ofTuple: type).map { (.of(anyType: $0.type), $0.offset) }
    )
  }

  override func areEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, depth: Int) -> Bool {
    elements.allSatisfy { $0.record.areEqual(a + $0.offset, b + $0.offset, depth: depth + 1) }
  }
}
