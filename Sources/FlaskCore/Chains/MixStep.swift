/// A closure of a chain, and the substance that it was written for.
@usableFromInline
struct MixStep: @unchecked Sendable {
  // `@unchecked` because of the cast: the closure is only ever called with the substance it was written for. A closure over
  // any class takes one reference, so the cast changes no calling convention; it saves the allocation of a closure around
  // the closure, which was a tenth of a mix.
  @usableFromInline
  struct Typed<T: AnySubstance> {
    @usableFromInline let body: @Sendable (T) throws -> Void

    @inlinable
    init(_ body: @escaping @Sendable (T) throws -> Void) { self.body = body }
  }

  @usableFromInline
  struct Untyped {
    @usableFromInline let body: Body
  }

  @usableFromInline typealias Body = @Sendable (AnySubstance) throws -> Void

  @usableFromInline let substance: AnySubstance
  @usableFromInline let body: Body

  @inlinable
  init<T: AnySubstance>(_ substance: T, _ body: @escaping @Sendable (T) throws -> Void) {
    self.substance = substance
    self.body = MixStep.untyped(body)
  }

  @inlinable
  static func untyped<T: AnySubstance>(_ body: @escaping @Sendable (T) throws -> Void) -> Body {
    unsafeBitCast(Typed(body), to: Untyped.self).body
  }

  /// The core of the substance.
  var core: SubstanceCore {
    @inline(__always) get { substance.core }
  }

  /// Performs the closure alone, now or when its turn comes.
  @usableFromInline
  func react(isolation: ActorIdentity) -> FluxReceipt {
    // The substance holds its core, and that its flux.
    Unmanaged.passUnretained(core.flux)._withUnsafeGuaranteedRef { $0.submit(self, isolation: isolation) }
  }
}
