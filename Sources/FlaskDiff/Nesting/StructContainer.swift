/// What lies below a struct: its stored properties, but for hidden ones.
final class StructContainer: Container, @unchecked Sendable {
  private let record: TypeRecord

  init(record: TypeRecord) { self.record = record }

  override func canHold(_ path: Substring) -> Bool {
    let name = path.prefix { $0 != "." }
    guard let field = field(String(name)) else { return false }
    return field.value.record.nested.canHold(path, after: name)
  }

  override func names(in pointer: UnsafeRawPointer) -> [String] {
    record.fields.visible.map(\.name)
  }

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
    record.fields.visible.first { $0.name == name }
  }
}

/// What lies below a value that has to be read before it can be looked into.
final class ValueContainer: Container, @unchecked Sendable {
  private let record: TypeRecord

  init(record: TypeRecord) { self.record = record }

  override func canHold(_ path: Substring) -> Bool { true }

  override func names(in pointer: UnsafeRawPointer) -> [String] {
    guard let value = record.value(at: pointer) else { return [] }
    return withOpened(value) { $1.nested.names(in: $0) }
  }

  override func withChild(
    _ name: String,
    in pointer: UnsafeRawPointer,
    _ body: (UnsafeRawPointer, TypeRecord) -> Void
  ) -> Bool {
    guard let value = record.value(at: pointer) else { return false }
    return withOpened(value) { $1.nested.withChild(name, in: $0, body) }
  }
}
