// The answers of a `DerivedState` to events, which say what the node must do.
extension DerivedState {
  enum Placing {
    /// The base value is set now.
    case placed
    /// The base value was set before.
    case present
    /// No observer waits for a base value: none was added, or all have left.
    case idle
    /// `record` is not right any more.
    case outdated
    case closed

    /// Whether nothing is left to do for an observer that was just added.
    var isDone: Bool {
      switch self {
      case .placed, .present, .closed: true
      case .idle, .outdated: false
      }
    }
  }

  struct Ending {
    let placed: DerivedRecord?
    let cached: DerivedRecord?
  }

  /// The answer to the question whether the last record is right at a consistent read.
  enum Validity {
    case right(DerivedRecord)
    /// The derived values that the closure has read must be computed first, to find out whether the record is right.
    /// From now on the node counts as being computed.
    case ask(DerivedRecord)
    /// The record is outdated or missing, so the closure must run. From now on the node counts as being computed.
    case compute(after: DerivedRecord?)
    /// The node is already being computed in this consistent read, so the derived value reads itself.
    case cycle(DerivedRecord?)
  }

  enum Adoption {
    case stored(replaced: DerivedRecord?)
    /// The stored record is newer, or the node is closed.
    case refused
  }

  enum RefreshStep {
    /// The node is not registered, or its value is still right.
    case nothing
    /// The base value is missing.
    case noBase
    /// The closure must run. From now on the node counts as being computed.
    case compute(after: DerivedRecord)
    /// The value follows from the answer. `mustNotify`: a tracked closure has read another value than that of `placed`,
    /// and must be notified in any case.
    case decide(Validity, placed: DerivedRecord, mustNotify: Bool)
  }

  enum Storing {
    /// The record is stored, and the substance shows its value. `spare`: the replaced record, whose memory may be
    /// reused, since no reader has it.
    case placed(spare: DerivedRecord?)
    /// The record is stored. It must still be placed (`place(_:)`): a tracked closure has read another value, or the
    /// value now depends on other keys than the node is registered with.
    case unplaced
    case closed
  }
}
