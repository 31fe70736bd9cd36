/// What lies below the content of an optional.
final class OptionalContainer<Wrapped>: Container, @unchecked Sendable {
  private let content: TypeRecord

  init(way: LayoutWay) { content = .of(Wrapped.self, way: way) }

  override func canHold(_ path: Substring) -> Bool { content.nested.canHold(path) }

  override func names(in pointer: UnsafeRawPointer) -> [String] {
    guard let value = pointer.assumingMemoryBound(to: Wrapped?.self).pointee else { return [] }
    return withUnsafePointer(to: value) { content.nested.names(in: $0) }
  }

  override func withChild(
    _ name: String,
    in pointer: UnsafeRawPointer,
    _ body: (UnsafeRawPointer, TypeRecord) -> Void
  ) -> Bool {
    guard let value = pointer.assumingMemoryBound(to: Wrapped?.self).pointee else { return false }
    return withUnsafePointer(to: value) { content.nested.withChild(name, in: $0, body) }
  }
}
