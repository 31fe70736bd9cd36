/// A closure of a chain, and the substance that it was written for.
@usableFromInline
struct MixStep: SingleStep {
  /// Takes the address of the substance.
  @usableFromInline typealias Body = @Sendable (UnsafeMutableRawPointer) throws -> Void

  /// The substance.
  @usableFromInline let target: any AnyObject & Sendable
  @usableFromInline let borrowedParticipant: Borrowed<Participant>
  @usableFromInline let body: Body
  @usableFromInline let place: SourcePlace

  /// A closure over the substance, which reads and writes `prop`.
  @inlinable
  init(
    _ target: any AnyObject & Sendable,
    _ participant: Participant,
    at place: SourcePlace = SourcePlace(),
    _ body: @escaping Body
  ) {
    self.target = target
    self.place = place
    borrowedParticipant = Borrowed(participant)
    self.body = body
  }

  var participant: Participant {
    @inline(__always) get { borrowedParticipant.use { $0 } }
  }

  var operation: FluxOperation { .mix(self) }

  /// Performs the closure alone, now or when its turn comes.
  @usableFromInline
  func react(isolation: ActorIdentity) -> FluxReceipt {
    borrowedParticipant.use { $0.flux.submit(self, isolation: isolation) }
  }

  @inline(__always)
  func run(_ participant: Participant) throws { try body(address(of: target)) }
}
