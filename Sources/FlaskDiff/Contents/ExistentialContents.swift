/// The comparison of values of a protocol type. Values of different dynamic types differ, except for objects that are
/// equal by an `==`. Values with the same dynamic type are compared as values of this type, which also determines their
/// nested keys.
final class ExistentialContents<Value>: Contents, @unchecked Sendable {
  override func areEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, depth: Int) -> Bool {
    areEqualAny(
      a.assumingMemoryBound(to: Value.self).pointee,
      b.assumingMemoryBound(to: Value.self).pointee,
      depth: depth + 1
    )
  }

  // MARK: What lies below

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
