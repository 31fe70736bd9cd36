/// An isolated closure as a plain one, which is to be called on its isolation only; see `Reactor.handler`.
///
/// Both are cast inside of structs: cast by themselves, closures over a generic parameter get a thunk around them for each cast.
@usableFromInline
struct PlainHandler<Value> {
  @usableFromInline
  struct Isolated {
    let body: @isolated(any) @Sendable (Value, Value) -> Void

    @usableFromInline
    init(_ body: @escaping @isolated(any) @Sendable (Value, Value) -> Void) { self.body = body }
  }

  @usableFromInline let body: (Value, Value) -> Void

  @inlinable
  init(of body: @escaping @isolated(any) @Sendable (Value, Value) -> Void) {
    self = unsafeBitCast(Isolated(body), to: PlainHandler.self)
  }
}
