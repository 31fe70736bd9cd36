/// Takes closures and payloads of clients in Swift 5 mode for `Sendable`, unchecked.
///
/// `@preconcurrency` would do the same for them, but it also softens what Swift 6 mode says about a data race from an error to
/// a warning. So each function that takes such a closure comes twice: `@available(swift, introduced: 6)` with the
/// check, `@available(swift, obsoleted: 6)` without. The compiler picks by the language mode of the client.
///
/// `@Sendable` is a marker of the type checker: closure types with and without it are represented alike. That the
/// closure is safe to run on another thread is the client's to know, as everywhere in Swift 5 mode.
package enum UncheckedSendable {
  @inline(__always)
  static func mixing<T>(_ body: @escaping (T) throws -> Void) -> @Sendable (T) throws -> Void {
    unsafeBitCast(body, to: (@Sendable (T) throws -> Void).self)
  }

  /// A handler, from the umbrella module too.
  package static func handling<Owner>(
    _ body: @escaping @isolated(any) (Owner, FlaskReaction) -> Void
  ) -> Reactor<Owner>.Handler {
    unsafeBitCast(body, to: Reactor<Owner>.Handler.self)
  }

  static func observing(
    _ body: @escaping @isolated(any) (SubstanceChange) -> Void
  ) -> @isolated(any) @Sendable (SubstanceChange) -> Void {
    unsafeBitCast(body, to: (@isolated(any) @Sendable (SubstanceChange) -> Void).self)
  }

  static func observing<Value>(
    _ body: @escaping @isolated(any) (Value, Value) -> Void
  ) -> @isolated(any) @Sendable (Value, Value) -> Void {
    unsafeBitCast(body, to: (@isolated(any) @Sendable (Value, Value) -> Void).self)
  }

  @inline(__always)
  static func performing(_ body: @escaping () -> Void) -> @Sendable () -> Void {
    unsafeBitCast(body, to: (@Sendable () -> Void).self)
  }

  /// A payload. `Sendable` has no witness table and no part in the names of types, so that at run time `Any` and
  /// `any Sendable` are one type.
  static func payload(_ payload: [String: Any]) -> FluxPayload {
    unsafeBitCast(payload, to: FluxPayload.self)
  }

  static func reducing<S, A, Claim>(
    _ body: @escaping (inout S, A) throws -> Claim
  ) -> @Sendable (inout S, A) throws -> Claim {
    unsafeBitCast(body, to: (@Sendable (inout S, A) throws -> Claim).self)
  }

  static func acting<A, Result>(_ body: @escaping (A) -> Result) -> @Sendable (A) -> Result {
    unsafeBitCast(body, to: (@Sendable (A) -> Result).self)
  }
}
