/// What lies below a struct as `Mirror` shows it.
final class ReflectedContainer<Value>: Container, @unchecked Sendable {
  private let record: TypeRecord

  init(record: TypeRecord) { self.record = record }

  override func canHold(_ path: Substring) -> Bool {
    !record.isCustomReflectable && !StructFields.isHidden(String(path))
  }

  override func names(in pointer: UnsafeRawPointer) -> [String] {
    if record.isCustomReflectable { return [] }
    return Mirror(reflecting: pointer.assumingMemoryBound(to: Value.self).pointee).children
      .compactMap(\.label).filter { !StructFields.isHidden($0) }
  }

  override func withChild(
    _ name: String,
    in pointer: UnsafeRawPointer,
    _ body: (UnsafeRawPointer, TypeRecord) -> Void
  ) -> Bool {
    guard !StructFields.isHidden(name), let child = record.reflectedChild(name, at: pointer) else {
      return false
    }
    withOpened(child, way: record.way, body)
    return true
  }
}
