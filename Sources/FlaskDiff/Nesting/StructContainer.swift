/// What lies below a struct whose stored properties are known: those that are not hidden.
final class StructContainer: Container, @unchecked Sendable {
  private let record: TypeRecord
  private let fields: [StoredField]

  init(record: TypeRecord) {
    self.record = record
    if case .located(let fields) = record.fields(example: nil) {
      self.fields = fields.filter { !$0.isHidden }
    } else {
      fields = []
    }
  }

  override func canHold(_ path: Substring) -> Bool {
    let name = path.prefix { $0 != "." }
    guard let field = fields.first(where: { $0.name == name }) else { return false }
    return name.endIndex == path.endIndex
      || field.record.nested.canHold(path[path.index(after: name.endIndex)...])
  }

  override func names(in pointer: UnsafeRawPointer) -> [String] { fields.map(\.name) }

  override func withChild(
    _ name: String,
    in pointer: UnsafeRawPointer,
    _ body: (UnsafeRawPointer, TypeRecord) -> Void
  ) -> Bool {
    guard let field = fields.first(where: { $0.name == name }) else { return false }
    guard field.isFragile else {
      body(pointer + field.offset, field.record)
      return true
    }
    guard let child = record.reflectedChild(name, at: pointer) else { return false }
    withOpened(child, way: record.way, body)
    return true
  }
}
