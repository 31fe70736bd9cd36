// Every cast of a function in this module, with its proof. They are made inside of structs: a function that is passed
// as a value of a generic type is put into another form, by a closure around it, each time.

/// A closure with an isolation of its own as a plain one. A closure of type `@isolated(any)` is called like any other,
/// its isolation being part of its context. It is only called on that isolation, to which its listener takes it.
@usableFromInline
package enum PlainFunction {
  @usableFromInline
  struct Isolated1<A> {
    @usableFromInline let body: @isolated(any) @Sendable (A) -> Void
    @inlinable init(_ body: @escaping @isolated(any) @Sendable (A) -> Void) { self.body = body }
  }
  @usableFromInline
  struct Isolated2<A, B> {
    @usableFromInline let body: @isolated(any) @Sendable (A, B) -> Void
    @inlinable init(_ body: @escaping @isolated(any) @Sendable (A, B) -> Void) { self.body = body }
  }
  @usableFromInline
  struct Plain1<A> { @usableFromInline let body: (A) -> Void }
  @usableFromInline
  struct Plain2<A, B> { @usableFromInline let body: (A, B) -> Void }

  struct IsolatedPack<each A> { let body: @isolated(any) @Sendable (repeat each A) -> Void }
  struct PlainPack<each A> { let body: (repeat each A) -> Void }

  static func ofPack<each A>(
    _ body: @escaping @isolated(any) @Sendable (repeat each A) -> Void
  ) -> (repeat each A) -> Void {
    unsafeBitCast(IsolatedPack(body: body), to: PlainPack<repeat each A>.self).body
  }

  @inlinable
  @inline(__always)
  package static func of<A>(_ body: @escaping @isolated(any) @Sendable (A) -> Void) -> (A) -> Void {
    unsafeBitCast(Isolated1(body), to: Plain1<A>.self).body
  }

  @inlinable
  @inline(__always)
  package static func of<A, B>(_ body: @escaping @isolated(any) @Sendable (A, B) -> Void) -> (A, B) -> Void {
    unsafeBitCast(Isolated2(body), to: Plain2<A, B>.self).body
  }
}

/// A closure that is the one property of a struct as the one property of another, for closures over types that this
/// folder can't name. Both closures take and return the same types: they differ in being isolated by their context,
/// which `PlainFunction` says about, or in being `Sendable`, which `UncheckedSendable` says about.
enum FunctionHolder {
  @inline(__always)
  static func cast<Source, Target>(_ source: Source, to target: Target.Type) -> Target {
    unsafeBitCast(source, to: target)
  }
}

/// A closure over one class as a closure over another one. It is only called with an object of the class that it was
/// written for. A closure over any class takes one reference, so the cast changes no calling convention; and on arm64e
/// the hash of its type, by which its address is signed, is the same for all classes. It saves the allocation of a
/// closure around the closure.
@usableFromInline
struct ObjectFunction<T: AnyObject> {
  @usableFromInline
  struct Over<Base: AnyObject> { @usableFromInline let body: @Sendable (Base) throws -> Void }

  @usableFromInline let body: @Sendable (T) throws -> Void

  @inlinable
  init(_ body: @escaping @Sendable (T) throws -> Void) { self.body = body }

  @inlinable
  @inline(__always)
  static func over<Base: AnyObject>(
    _ base: Base.Type,
    _ body: @escaping @Sendable (T) throws -> Void
  ) -> @Sendable (Base) throws -> Void {
    unsafeBitCast(ObjectFunction(body), to: Over<Base>.self).body
  }

  /// The same for a closure of a client in Swift 5 mode, which need not be `Sendable`: see `UncheckedSendable`.
  @inlinable
  @inline(__always)
  static func over<Base: AnyObject>(
    _ base: Base.Type,
    unchecked body: @escaping (T) throws -> Void
  ) -> @Sendable (Base) throws -> Void {
    unsafeBitCast(Unchecked(body), to: Over<Base>.self).body
  }

  @usableFromInline
  struct Unchecked {
    @usableFromInline let body: (T) throws -> Void
    @inlinable init(_ body: @escaping (T) throws -> Void) { self.body = body }
  }
}

/// Takes closures and payloads of clients in Swift 5 mode for `Sendable`, unchecked.
///
/// `@preconcurrency` would do the same for them, but it also softens what Swift 6 mode says about a data race from an
/// error to a warning. So each function that takes such a closure comes twice: `@available(swift, introduced: 6)` with
/// the check, `@available(swift, obsoleted: 6)` without. The compiler picks by the language mode of the client.
///
/// `@Sendable` is a marker of the type checker: closure types with and without it are represented alike. That the
/// closure is safe to run on another thread is the client's to know, as everywhere in Swift 5 mode.
@usableFromInline
package enum UncheckedSendable {
  package static func observing<Value>(
    _ body: @escaping @isolated(any) (Value) -> Void
  ) -> @isolated(any) @Sendable (Value) -> Void {
    unsafeBitCast(body, to: (@isolated(any) @Sendable (Value) -> Void).self)
  }

  @inlinable
  @inline(__always)
  package static func observing<A, B>(
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

  static func performing(_ body: @escaping () -> Void) -> @Sendable () -> Void {
    unsafeBitCast(body, to: (@Sendable () -> Void).self)
  }

  /// A payload. `Sendable` has no witness table and no part in the names of types, so that at run time `Any` and
  /// `any Sendable` are one type.
  static func payload(_ payload: [String: Any]) -> [String: any Sendable] {
    unsafeBitCast(payload, to: [String: any Sendable].self)
  }

  package static func mixing<S>(
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

  package static func reducing<S, A, Claim>(
    _ body: @escaping (inout S, A) throws -> Claim
  ) -> @Sendable (inout S, A) throws -> Claim {
    unsafeBitCast(body, to: (@Sendable (inout S, A) throws -> Claim).self)
  }

  package static func acting<A, Result>(_ body: @escaping (A) -> Result) -> @Sendable (A) -> Result {
    unsafeBitCast(body, to: (@Sendable (A) -> Result).self)
  }

  package static func acting<A, B, C>(_ body: @escaping (A, B, C) -> Void) -> @Sendable (A, B, C) -> Void {
    unsafeBitCast(body, to: (@Sendable (A, B, C) -> Void).self)
  }

  package static func effecting<A, Dispatch>(
    _ body: @escaping (A, Dispatch) async throws -> Void
  ) -> @Sendable (A, Dispatch) async throws -> Void {
    unsafeBitCast(body, to: (@Sendable (A, Dispatch) async throws -> Void).self)
  }
}
