/// One closure over one substance, which is an operation by itself: most of them are.
protocol SingleStep: Sendable {
  /// The participant of the substance. The substance holds it, and is held by the step or by whoever made the step.
  var borrowedParticipant: Borrowed<Participant> { get }
  /// Where it was written, for a tracer.
  var place: SourcePlace { get }
  /// The same as something that waits, and holds what it needs.
  var operation: FluxOperation { get }

  /// Runs the closure on the draft of its substance, which is open.
  func run(_ participant: Participant) throws
}
