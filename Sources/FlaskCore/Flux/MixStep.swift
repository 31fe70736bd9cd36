/// A closure of a mix, and the substance that it was written for.
@usableFromInline
struct MixStep: Sendable {
  /// Takes the address of the substance or, if the step is direct, that of the draft.
  @usableFromInline typealias Body = @Sendable (UnsafeMutableRawPointer) throws -> Void

  /// The substance.
  @usableFromInline let target: any AnyObject & Sendable
  /// Its participant, which it holds.
  @usableFromInline let borrowedParticipant: Borrowed<Participant>
  @usableFromInline let body: Body
  /// Whether the closure is lent the draft itself.
  @usableFromInline let isDirect: Bool
  /// Where it was written, for a tracer.
  @usableFromInline let place: SourcePlace

  /// A closure over the substance, which reads and writes `prop`.
  @inlinable
  init(
    _ target: any AnyObject & Sendable,
    _ participant: Participant,
    at place: SourcePlace = SourcePlace(),
    _ body: @escaping Body
  ) {
    self.init(target, participant, isDirect: false, at: place, body)
  }

  @inlinable
  init(
    _ target: any AnyObject & Sendable,
    _ participant: Participant,
    isDirect: Bool,
    at place: SourcePlace,
    _ body: @escaping Body
  ) {
    self.target = target
    self.place = place
    borrowedParticipant = Borrowed(participant)
    self.isDirect = isDirect
    self.body = body
  }

  var participant: Participant {
    @inline(__always) get { borrowedParticipant.use { $0 } }
  }

  /// Performs the closure alone, now or when its turn comes.
  @usableFromInline
  func react(isolation: ActorIdentity) -> FluxReceipt { participant.flux.submit(self, isolation: isolation) }

  /// Runs the closure on the draft of its substance, which is open.
  @inline(__always)
  func run(_ participant: Participant) throws {
    if isDirect {
      // Nobody else is at it: `prop` is not read or written between two closures.
      participant.lendDraft()
      defer { participant.endWriting() }
      try body(participant.draft)
    } else {
      try body(address(of: target))
    }
  }
}
