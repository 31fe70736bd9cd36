/// A closure of a chain, and the substance that it was written for.
@usableFromInline
struct MixStep: Sendable {
  @usableFromInline typealias Body = @Sendable (AnyObject) throws -> Void

  /// The substance.
  @usableFromInline let target: any AnyObject & Sendable
  @usableFromInline let participant: Participant
  @usableFromInline let body: Body

  @inlinable
  init(_ target: any AnyObject & Sendable, _ participant: Participant, _ body: @escaping Body) {
    self.target = target
    self.participant = participant
    self.body = body
  }

  /// Performs the closure alone, now or when its turn comes.
  @usableFromInline
  func react(isolation: ActorIdentity) -> FluxReceipt { participant.flux.submit(self, isolation: isolation) }
}
