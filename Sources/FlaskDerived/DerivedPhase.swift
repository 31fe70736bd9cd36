/// The observation of a derived value: whether its sources notify its node, and whether the node's substance has a base
/// value, with which the next value is compared.
///
/// ```text
///        follow()            the base value is set
///   idle ───────► following ──────────────────────► placed
///    ▲                │                                │
///    └────────────────┴────────── leave() ◄────────────┘ unless the operation in progress has a draft
/// ```
/// Any thread may set the base value of a node in the phase `following`. It replaces the states of the node's substance
/// without an operation. So no node with a draft may come to that phase: the performer is about to commit the draft.
/// `closed` is the last phase.
enum DerivedPhase: Equatable, CaseIterable {
  /// No observer was added since the last one was found to have gone. The sources do not notify the node.
  case idle
  /// Registered with the sources. The base value is missing.
  case following
  /// Registered with the sources, with a base value. Only the performer commits to the substance.
  case placed
  /// The derived value was released.
  case closed

  var isRegistered: Bool { self == .following || self == .placed }

  /// An observer was added.
  ///
  /// - Returns: whether the caller must register the node with its sources.
  mutating func follow() -> Bool {
    if self != .idle { return false }
    self = .following
    return true
  }

  /// The performer has found that there is no observer any more.
  ///
  /// - Parameter hasDraft: whether the operation in progress has a draft of the node's substance, which it will commit.
  /// - Returns: whether the caller must end the registration with the sources.
  mutating func leave(hasDraft: Bool) -> Bool {
    if !isRegistered || hasDraft { return false }
    self = .idle
    return true
  }
}
