public import FlaskCore

/// Converts closures and payloads of clients in Swift 5 mode to `Sendable` types, without a check.
///
/// `@preconcurrency` would do the same, but in Swift 6 mode it also reduces errors about data races to warnings. So
/// each function with such a closure exists twice: with `@available(swift, introduced: 6)` and the check, and with
/// `@available(swift, obsoleted: 6)` and without the check. The compiler picks by the language mode of the client.
///
/// `@Sendable` is a marker of the type checker: closure types with and without it have the same representation. The
/// client must ensure that the closure is safe to run on another thread, as everywhere in Swift 5 mode.
@usableFromInline
package enum UncheckedSendable {
  static func observing<Value>(
    _ body: @escaping @isolated(any) (Value) -> Void
  ) -> @isolated(any) @Sendable (Value) -> Void {
    unsafeBitCast(body, to: (@isolated(any) @Sendable (Value) -> Void).self)
  }

  @inlinable
  @inline(__always)
  static func observing<A, B>(
    _ body: @escaping @isolated(any) (A, B) -> Void
  ) -> @isolated(any) @Sendable (A, B) -> Void {
    unsafeBitCast(body, to: (@isolated(any) @Sendable (A, B) -> Void).self)
  }

  static func observingPack<each Value>(
    _ body: @escaping @isolated(any) (repeat each Value) -> Void
  ) -> @isolated(any) @Sendable (repeat each Value) -> Void {
    unsafeBitCast(UncheckedPack(body: body), to: CheckedPack<repeat each Value>.self).body
  }

  struct UncheckedPack<each A> { let body: @isolated(any) (repeat each A) -> Void }
  struct CheckedPack<each A> { let body: @isolated(any) @Sendable (repeat each A) -> Void }

  @inlinable
  @inline(__always)
  static func changing<T: AnySubstance>(_ body: @escaping (T) throws -> Void) -> @Sendable (T) throws -> Void
  {
    unsafeBitCast(UncheckedStep(body), to: CheckedStep<T>.self).body
  }

  // The closure is stored in a struct, since a closure that is a value of a generic type would be wrapped in another
  // closure.
  @usableFromInline
  struct UncheckedStep<T: AnyObject> {
    @usableFromInline let body: (T) throws -> Void
    @inlinable init(_ body: @escaping (T) throws -> Void) { self.body = body }
  }
  @usableFromInline
  struct CheckedStep<T: AnyObject> { @usableFromInline let body: @Sendable (T) throws -> Void }

  package static func performing(_ body: @escaping () -> Void) -> @Sendable () -> Void {
    unsafeBitCast(body, to: (@Sendable () -> Void).self)
  }

  /// Converts a payload. At run time `Any` and `any Sendable` are one type, since `Sendable` has no witness table and
  /// no part in the names of types.
  static func payload(_ payload: [String: Any]) -> [String: any Sendable] {
    unsafeBitCast(payload, to: [String: any Sendable].self)
  }

  static func mixing<S>(
    _ body: @escaping (inout S) throws -> Void
  ) -> @Sendable (inout S) throws -> Void {
    unsafeBitCast(body, to: (@Sendable (inout S) throws -> Void).self)
  }

  static func mixing<A, B>(
    _ body: @escaping (inout A, inout B) throws -> Void
  ) -> @Sendable (inout A, inout B) throws -> Void {
    unsafeBitCast(body, to: (@Sendable (inout A, inout B) throws -> Void).self)
  }

  static func mixing<A, B, C>(
    _ body: @escaping (inout A, inout B, inout C) throws -> Void
  ) -> @Sendable (inout A, inout B, inout C) throws -> Void {
    unsafeBitCast(body, to: (@Sendable (inout A, inout B, inout C) throws -> Void).self)
  }

  static func mixing<A, B, C, D>(
    _ body: @escaping (inout A, inout B, inout C, inout D) throws -> Void
  ) -> @Sendable (inout A, inout B, inout C, inout D) throws -> Void {
    unsafeBitCast(body, to: (@Sendable (inout A, inout B, inout C, inout D) throws -> Void).self)
  }

  static func reducing<S, A, Claim>(
    _ body: @escaping (inout S, A) throws -> Claim
  ) -> @Sendable (inout S, A) throws -> Claim {
    unsafeBitCast(body, to: (@Sendable (inout S, A) throws -> Claim).self)
  }

  static func acting<A, Result>(_ body: @escaping (A) -> Result) -> @Sendable (A) -> Result {
    unsafeBitCast(body, to: (@Sendable (A) -> Result).self)
  }

  static func acting<A, B, C>(_ body: @escaping (A, B, C) -> Void) -> @Sendable (A, B, C) -> Void {
    unsafeBitCast(body, to: (@Sendable (A, B, C) -> Void).self)
  }

  static func effecting<A, Dispatch>(
    _ body: @escaping (A, Dispatch) async throws -> Void
  ) -> @Sendable (A, Dispatch) async throws -> Void {
    unsafeBitCast(body, to: (@Sendable (A, Dispatch) async throws -> Void).self)
  }
}
