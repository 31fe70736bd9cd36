/// A closure of a chain, and the substance that it was written for.
@usableFromInline
struct MixStep: Sendable {
  @usableFromInline typealias Body = @Sendable (AnyObject) throws -> Void

  /// The substance.
  @usableFromInline let target: any AnyObject & Sendable
  /// Its participant, which it holds.
  @usableFromInline let borrowedParticipant: Borrowed<Participant>
  @usableFromInline let body: Body

  @inlinable
  init(_ target: any AnyObject & Sendable, _ participant: Participant, _ body: @escaping Body) {
    self.target = target
    borrowedParticipant = Borrowed(participant)
    self.body = body
  }

  var participant: Participant {
    @inline(__always) get { borrowedParticipant.use { $0 } }
  }

  /// Performs the closure alone, now or when its turn comes.
  @usableFromInline
  func react(isolation: ActorIdentity) -> FluxReceipt { participant.flux.submit(self, isolation: isolation) }
}
