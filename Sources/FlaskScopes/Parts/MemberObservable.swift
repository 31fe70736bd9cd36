/// The observable facts of a member of a container, whatever its type.
protocol MemberObservable: AnyObject, Sendable {
  /// Notifies a listener of changes of the member from the next operation on, with the states of the whole substance.
  ///
  /// - Parameters:
  ///   - notify: the action of the listener, with the member itself, if it is notified of differences only.
  ///   - ended: called when the member was removed, if the notifications are of its content.
  func watch(
    _ news: MemberEvent,
    _ listener: Listener,
    _ notify: MemberHandler?,
    ended: (@Sendable () -> Void)?
  ) -> SubstanceObservation

  /// Makes the running tracked closure depend on a key of the member, on all of it (-1), or on its presence (`.max`).
  /// Call before the read.
  func noteReading(of key: Int, for publisher: StatePublisher)
}

/// The kinds of changes that a listener of a member is notified of.
enum MemberEvent {
  /// Changes of a present member. Ends when it is removed.
  case content
  /// That it went or came.
  case presence
  /// All of it: for a hub of a container inside the member.
  case everything
}

/// Takes the addresses of a member before and after a commit.
typealias MemberHandler = (_ old: UnsafeRawPointer, _ new: UnsafeRawPointer) -> Void
