/// Compares structs by their visible stored properties.
final class StructComparison: Comparison, @unchecked Sendable {
  private let record: TypeRecord
  private let fields: [StoredField]

  private init(record: TypeRecord, fields: [StoredField]) {
    self.record = record
    self.fields = fields
  }

  /// A struct without visible stored properties is compared as one.
  static func make(for record: TypeRecord) -> Comparison {
    guard case .located(let fields) = record.fields(example: nil) else { return Comparison() }
    let visible = fields.filter { !$0.isHidden }
    return visible.isEmpty ? Comparison() : StructComparison(record: record, fields: visible)
  }

  override func areEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, depth: Int) -> Bool {
    for field in fields {
      if field.isFragile {
        guard let aChild = record.reflectedChild(field.name, at: a),
          let bChild = record.reflectedChild(field.name, at: b),
          areEqualAny(aChild, bChild, way: record.way, depth: depth + 1)
        else { return false }
      } else if !field.record.areEqual(a + field.offset, b + field.offset, depth: depth + 1) {
        return false
      }
    }
    return true
  }
}
