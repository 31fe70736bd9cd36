/// The actor that submitting code is isolated to, if any: what is compared with the isolation of those who listen.
///
/// The identity is all that is needed while the caller is there, and costs nothing to hand on: an `(any Actor)?` is handed through
/// value witnesses, which were 150 instructions of a mix.
@usableFromInline
struct ActorIdentity: Equatable, Sendable {
  @usableFromInline let identifier: ObjectIdentifier?

  @inlinable
  init(_ actor: (any Actor)?) { identifier = actor.map { ObjectIdentifier($0) } }

  /// Whether it is `actor`.
  func isSame(as actor: any Actor) -> Bool { identifier == ObjectIdentifier(actor) }
}
