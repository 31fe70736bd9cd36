/// What lies below a dictionary with string keys.
final class DictionaryContainer<Value>: Container, @unchecked Sendable {
  private let value = TypeRecord.of(Value.self)

  override func canHold(_ path: Substring) -> Bool { true }

  override func names(in pointer: UnsafeRawPointer) -> [String] {
    pointer.assumingMemoryBound(to: [String: Value].self).pointee.keys.sorted()
  }

  override func withChild(
    _ name: String,
    in pointer: UnsafeRawPointer,
    _ body: (UnsafeRawPointer, TypeRecord) -> Void
  ) -> Bool {
    guard let child = pointer.assumingMemoryBound(to: [String: Value].self).pointee[name] else {
      return false
    }
    withUnsafePointer(to: child) { body(UnsafeRawPointer($0), value) }
    return true
  }
}
