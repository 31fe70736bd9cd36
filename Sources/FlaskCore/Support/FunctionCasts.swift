// The casts of closures in this module, with their proofs; `RuntimeFunctions` has those of functions of the runtime.
// All but one are made inside of structs: a function that is passed as a value of a generic type is put into another
// form, by a closure around it, each time. `PlainFunction.handler` does so, once for each observer.

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

  /// A closure as one that may be passed to an observer, which calls it on its isolation and nowhere else. The two
  /// differ in being `Sendable`, which is a marker of the type checker.
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

/// A closure that is the one property of a struct as the one property of another, for closures over types that this
/// folder can't name. Both closures take and return the same types: they differ in being isolated by their context,
/// which `PlainFunction` says about.
enum FunctionHolder {
  @inline(__always)
  static func cast<Source, Target>(_ source: Source, to target: Target.Type) -> Target {
    unsafeBitCast(source, to: target)
  }
}

/// A closure over one class as a closure over another class. It is only called with an object of the class that it was
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
}
