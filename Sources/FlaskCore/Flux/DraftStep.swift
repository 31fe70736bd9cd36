/// A closure of a direct mix, which is lent the draft of its substance.
///
/// Holds neither the substance nor its participant: whoever makes one holds the substance until the step has been
/// performed or has become an operation, which holds it (fast path).
@usableFromInline
struct DraftStep: SingleStep {
  /// Takes the address of the draft.
  @usableFromInline typealias Body = @Sendable (UnsafeMutableRawPointer) throws -> Void

  @usableFromInline let borrowedParticipant: Borrowed<Participant>
  @usableFromInline let body: Body
  @usableFromInline let place: SourcePlace

  @inlinable
  init(_ participant: Participant, at place: SourcePlace, _ body: @escaping Body) {
    borrowedParticipant = Borrowed(participant)
    self.place = place
    self.body = body
  }

  /// Performs the closure alone, now or when its turn comes.
  @usableFromInline
  func react(isolation: ActorIdentity) -> FluxReceipt {
    borrowedParticipant.use { $0.flux.submit(self, isolation: isolation) }
  }

  @inline(__always)
  func run(_ participant: Participant) throws {
    // Nobody else is at it: `prop` is not read or written between two closures.
    participant.lendDraft()
    defer { participant.endWriting() }
    try body(participant.draft)
  }

  var operation: FluxOperation { .draft(HeldDraftStep(self)) }
}

/// A direct mix that waits, and holds its substance meanwhile.
///
/// `@unchecked Sendable`: the substance is, which its participant does not say.
struct HeldDraftStep: @unchecked Sendable {
  let step: DraftStep
  private let substance: AnyObject

  init(_ step: DraftStep) {
    self.step = step
    substance = step.borrowedParticipant.use { $0.owner }
  }
}
