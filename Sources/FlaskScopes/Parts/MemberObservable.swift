/// What can be observed of a member of a container, whatever its type.
protocol MemberObservable: AnyObject, Sendable {
  /// Has a listener told news of the member from the next operation on, with the states of the whole substance.
  ///
  /// - Parameters:
  ///   - told: what the listener does, with the member itself, if it is only told of what differs.
  ///   - ended: called when the member has gone, if the news are of its content.
  func watch(
    _ news: MemberEvent,
    _ listener: Listener,
    _ told: MemberHandler?,
    ended: (@Sendable () -> Void)?
  ) -> SubstanceObservation

  /// Has the running tracked closure depend on a key of the member, on all of it (-1), or on whether it is there
  /// (`.max`). Comes before the read.
  func noteReading(of key: Int, for publisher: StatePublisher)
}

/// Which news of a member a listener is told.
enum MemberEvent {
  /// That it changed while it was there. Ends when it goes.
  case content
  /// That it went or came.
  case presence
  /// All of it: a hub of what lies inside the member.
  case everything
}

/// Takes the addresses of a member before and after a commit.
typealias MemberHandler = (_ old: UnsafeRawPointer, _ new: UnsafeRawPointer) -> Void
