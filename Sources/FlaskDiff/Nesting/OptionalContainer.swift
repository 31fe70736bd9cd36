/// What lies below the content of an optional.
final class OptionalContainer<Wrapped>: Container, @unchecked Sendable {
  private let content = TypeRecord.of(Wrapped.self)

  override var isListed: Bool { content.nested.isListed }

  override func canHold(_ path: Substring) -> Bool { content.nested.canHold(path) }

  // What an optional holds lies at its beginning, as it is.

  override func names(in pointer: UnsafeRawPointer) -> [String] {
    Wrapped?.isNil(at: pointer) ? [] : content.nested.names(in: pointer)
  }

  override func differingNames(_ old: UnsafeRawPointer, _ new: UnsafeRawPointer) -> [String]? {
    Wrapped?.isNil(at: old) || Wrapped?.isNil(at: new) ? nil : content.nested.differingNames(old, new)
  }

  override func withChild(
    _ name: String,
    in pointer: UnsafeRawPointer,
    _ body: (UnsafeRawPointer, TypeRecord) -> Void
  ) -> Bool {
    Wrapped?.isNil(at: pointer) ? false : content.nested.withChild(name, in: pointer, body)
  }
}

/// What lies below a value of a protocol type: whatever lies below its dynamic type.
final class ExistentialContainer<Value>: Container, @unchecked Sendable {
  override func canHold(_ path: Substring) -> Bool { true }

  override func names(in pointer: UnsafeRawPointer) -> [String] {
    withOpened(pointer.assumingMemoryBound(to: Value.self).pointee) { content, record in
      record.kind == .existential ? [] : record.nested.names(in: content)
    }
  }

  override func withChild(
    _ name: String,
    in pointer: UnsafeRawPointer,
    _ body: (UnsafeRawPointer, TypeRecord) -> Void
  ) -> Bool {
    withOpened(pointer.assumingMemoryBound(to: Value.self).pointee) { content, record in
      record.kind == .existential ? false : record.nested.withChild(name, in: content, body)
    }
  }
}
