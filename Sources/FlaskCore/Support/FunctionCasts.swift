// This file has the casts of closures in this module, with their proofs. `RuntimeFunctions` has the casts of runtime
// functions. All casts except one are made inside of structs, since a closure passed as a generic value is wrapped in
// another closure each time. Only `PlainFunction.handler` casts the closure itself, which makes one wrapper for each
// observer.

/// Casts a closure with an isolation to a closure type without isolation. A closure of type `@isolated(any)` is called
/// like any other: its isolation is part of its context. The closure is only called on that isolation, since its
/// listener hops there.
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

  /// Casts a closure to the type of an observer's handler. The observer calls it only on the closure's own isolation.
  /// The two types differ only in `@Sendable`, which has a meaning for the type checker alone.
  static func handler<A, B>(
    _ body: @escaping @isolated(any) (A, B) -> Void
  ) -> @isolated(any) @Sendable (A, B) -> Void {
    unsafeBitCast(body, to: (@isolated(any) @Sendable (A, B) -> Void).self)
  }

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

/// Casts the closure in a struct to the closure of another struct, for types of closures that this folder cannot name.
/// Both closures take and return the same types. They differ only in their isolation, which is part of the context: see
/// `PlainFunction`.
enum FunctionHolder {
  @inline(__always)
  static func cast<Source, Target>(_ source: Source, to target: Target.Type) -> Target {
    unsafeBitCast(source, to: target)
  }
}

/// Casts a closure over one class to a closure over another class. The result must only be called with an object of the
/// original class. A closure over any class takes one reference, so the cast does not change the calling convention. On
/// arm64e the address is signed with the hash of its type, which is the same for all classes. The cast saves the
/// allocation of a second closure around the first.
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
}
