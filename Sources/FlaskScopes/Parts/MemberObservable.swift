/// The type-erased observation of a member of a container.
protocol MemberObservable: AnyObject, Sendable {
  /// Notifies a listener of changes of the member from the next operation on. The listener gets the states of the whole
  /// substance.
  ///
  /// - Parameters:
  ///   - notify: called in place of the listener if the old and the new member are found in memory; gets their
  ///     addresses.
  ///   - ended: called when the member was removed, if the listener is notified of `.content` only.
  func watch(
    _ news: MemberEvent,
    _ listener: Listener,
    _ notify: MemberHandler?,
    ended: (@Sendable () -> Void)?
  ) -> SubstanceObservation

  /// Makes the running tracked closure depend on a key of the member, on the whole member (-1), or on its presence
  /// (`.max`). Call it before the read.
  func noteReading(of key: Int, for publisher: StatePublisher)
}

/// The kinds of changes of which a listener of a member is notified.
enum MemberEvent {
  /// Changes of the member while it exists. The observation ends when the member is removed.
  case content
  /// The member was removed or inserted.
  case presence
  /// Any change of the member, removal and insertion included: for the observer of a container inside of the member,
  /// and for Observation.
  case everything
}

/// A handler that receives the addresses of a member before and after a commit.
typealias MemberHandler = (_ old: UnsafeRawPointer, _ new: UnsafeRawPointer) -> Void
