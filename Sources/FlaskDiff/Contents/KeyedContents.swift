/// The nested keys of a type that is `KeyedByString`, or of a class with a subclass that may be.
final class KeyedContents<Value>: Contents, @unchecked Sendable {
  private let isCertain: Bool

  init(isCertain: Bool) { self.isCertain = isCertain }

  override func canHold(_ path: Substring) -> Bool { isCertain }

  override func names(in pointer: UnsafeRawPointer) -> [String] {
    (pointer.assumingMemoryBound(to: Value.self).pointee as? any KeyedByString)?.nestedKeys.sorted() ?? []
  }

  override func withChild(
    _ name: String,
    in pointer: UnsafeRawPointer,
    _ body: (UnsafeRawPointer, TypeRecord) -> Void
  ) -> Bool {
    guard let keyed = pointer.assumingMemoryBound(to: Value.self).pointee as? any KeyedByString,
      let child = keyed.nestedValue(forKey: name)
    else { return false }
    withOpened(child, body)
    return true
  }
}
