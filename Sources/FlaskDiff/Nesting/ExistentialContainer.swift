/// What lies below a value of a protocol type: whatever lies below its dynamic type.
final class ExistentialContainer<Value>: Container, @unchecked Sendable {
  private let way: LayoutWay

  init(way: LayoutWay) { self.way = way }

  override func canHold(_ path: Substring) -> Bool { true }

  override func names(in pointer: UnsafeRawPointer) -> [String] {
    withOpened(pointer.assumingMemoryBound(to: Value.self).pointee, way: way) { content, record in
      record.kind == .existential ? [] : record.nested.names(in: content)
    }
  }

  override func withChild(
    _ name: String,
    in pointer: UnsafeRawPointer,
    _ body: (UnsafeRawPointer, TypeRecord) -> Void
  ) -> Bool {
    withOpened(pointer.assumingMemoryBound(to: Value.self).pointee, way: way) { content, record in
      record.kind == .existential ? false : record.nested.withChild(name, in: content, body)
    }
  }
}
