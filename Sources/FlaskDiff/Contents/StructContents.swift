/// The comparison of structs, by their visible stored properties, whether or not the struct is `Equatable`. These
/// properties are the nested keys.
///
/// If all properties that differ have values that cannot be compared, such as objects without `==`, the `==` of the
/// struct decides. A struct whose properties are not accessible is compared by its `==`, or, without an `==`, by its
/// bits.
final class StructContents: Contents, @unchecked Sendable {
  private let record: TypeRecord
  private let equality: ((UnsafeRawPointer, UnsafeRawPointer) -> Bool)?

  init(record: TypeRecord, equality: ((UnsafeRawPointer, UnsafeRawPointer) -> Bool)? = nil) {
    self.record = record
    self.equality = equality
  }

  override func areEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, depth: Int) -> Bool {
    let fields = record.fields
    if fields.fields.isEmpty { return equality?(a, b) ?? false }
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

  // MARK: What lies below

  override func canHold(_ path: Substring) -> Bool {
    let name = NestedKey.split(path).name
    guard let field = field(String(name)) else { return false }
    return field.value.record.nested.canHold(path, after: name)
  }

  override func names(in pointer: UnsafeRawPointer) -> [String] { record.fields.keys.map(\.name) }

  override func withChild(
    _ name: String,
    in pointer: UnsafeRawPointer,
    _ body: (UnsafeRawPointer, TypeRecord) -> Void
  ) -> Bool {
    guard let field = field(name) else { return false }
    body(pointer + field.value.offset, field.value.record)
    return true
  }

  private func field(_ name: String) -> StoredField? {
    record.fields.keys.first { $0.name == name }
  }
}

extension TypeRecord {
  /// Whether values of the type can be compared reliably: the type, or the types of its content, allow it. Values that
  /// the comparison finds unequal then count as different.
  fileprivate final var isComparable: Bool {
    if isEquatable || isWalkedStruct { return true }
    if let contents = contentRecords { return contents.allSatisfy(\.isComparable) }
    return kind == .tuple || kind == .enum
  }
}
