/// What lies below a struct: its stored properties, but for hidden ones.
final class StructContainer: Container, @unchecked Sendable {
  private let record: TypeRecord

  init(record: TypeRecord) { self.record = record }

  override func canHold(_ path: Substring) -> Bool {
    let name = path.prefix { $0 != "." }
    // Where an example is needed to know the properties, nothing visible can be ruled out without one.
    if record.source == .mirror { return !record.isCustomReflectable && !StructFields.isHidden(String(name)) }
    guard let field = field(String(name), example: nil) else { return false }
    return field.value.record.nested.canHold(path, after: name)
  }

  override func names(in pointer: UnsafeRawPointer) -> [String] {
    record.fields(example: pointer).visible.map(\.name)
  }

  override func withChild(
    _ name: String,
    in pointer: UnsafeRawPointer,
    _ body: (UnsafeRawPointer, TypeRecord) -> Void
  ) -> Bool {
    guard let field = field(name, example: pointer) else { return false }
    body(pointer + field.value.offset, field.value.record)
    return true
  }

  private func field(_ name: String, example: UnsafeRawPointer?) -> StoredField? {
    record.fields(example: example).visible.first { $0.name == name }
  }
}

/// What lies below a value that has to be read before it can be looked into.
final class ValueContainer: Container, @unchecked Sendable {
  private let record: TypeRecord

  init(record: TypeRecord) { self.record = record }

  override func canHold(_ path: Substring) -> Bool { true }

  override func names(in pointer: UnsafeRawPointer) -> [String] {
    guard let value = record.value(at: pointer) else { return [] }
    return withOpened(value, source: record.source) { $1.nested.names(in: $0) }
  }

  override func withChild(
    _ name: String,
    in pointer: UnsafeRawPointer,
    _ body: (UnsafeRawPointer, TypeRecord) -> Void
  ) -> Bool {
    guard let value = record.value(at: pointer) else { return false }
    return withOpened(value, source: record.source) { $1.nested.withChild(name, in: $0, body) }
  }
}
