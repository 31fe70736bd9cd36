/// The state of a container observer's entry for one member: which commits its value contains, whether the member
/// exists, and its listeners. The events are functions that return what `MemberEntry`, which has the values and guards
/// this state by its lock, must do.
///
/// ```text
///          begin: the state is pinned from              a commit after
///          which the first value is read                that state
///   added ───────────────────────────────► begun(at:) ────────────────► following
///     │                                       │ setFirst: sets it          │ setFirst: does nothing,
///     │ a commit: only its value is kept      │ a commit up to that        │ the value is later
///     └───────► added                         │ state: is ignored          └───────► following
///                                             └───────► begun(at:)
/// ```
struct MemberEntryState {
  private enum Phase {
    /// The entry gets commits, but it is not known which of them its first value will contain.
    case added
    /// The first value is read, or will be, from the state with this version.
    case begun(at: Int)
    /// The last value comes from a commit.
    case following
  }

  private var phase = Phase.added
  private var listeners: [MemberListener] = []
  /// Whether the member existed after the last commit that changed it.
  private(set) var isThere = true
  /// The index (0 or 1) of the member's last committed value in the memory of the entry.
  private(set) var last = 0

  // MARK: The first value

  /// The state was pinned from which the first value is read.
  mutating func begin(at version: Int) { phase = .begun(at: version) }

  /// The first value was read from the pinned state.
  ///
  /// - Parameter isThere: whether the member exists in that state.
  /// - Returns: whether it is the member's last value; `false` if a later commit has changed the member.
  mutating func setFirst(isThere: Bool) -> Bool {
    if case .following = phase { return false }
    self.isThere = isThere
    return true
  }

  // MARK: Commits

  /// A commit has changed the member.
  ///
  /// - Parameters:
  ///   - number: the version of the committed state.
  ///   - isThere: whether the member exists in that state.
  ///   - isFlip: whether it did not exist before, or does not exist any more.
  ///   - notify: called with each listener to notify.
  ///   - ended: gets the listeners whose observation has ended, since the member was removed.
  /// - Returns: whether the caller must store the member's value, at index `last`; `false` if its first value contains
  ///   the commit.
  mutating func committed(
    _ number: Int,
    isThere: Bool,
    isFlip: Bool,
    notifying notify: (MemberListener) -> Void,
    ended: inout [MemberListener]
  ) -> Bool {
    switch phase {
    case .added:
      // The entry has no listener yet.
      break
    case .begun(let version) where number <= version:
      return false
    case .begun, .following:
      phase = .following
      self.isThere = isThere
      for listener in listeners
      where listener.news == .everything || (listener.news == .presence) == isFlip {
        notify(listener)
      }
      if !isThere {
        ended += listeners.filter { $0.news == .content }
        listeners.removeAll { $0.news == .content }
      }
    }
    last = 1 - last
    return true
  }

  // MARK: The listeners

  mutating func add(_ listener: MemberListener) { listeners.append(listener) }

  /// - Returns: the removed listener, which the caller must release without a lock.
  mutating func remove(_ listener: Listener) -> MemberListener? {
    guard let index = listeners.firstIndex(where: { $0.listener === listener }) else { return nil }
    return listeners.remove(at: index)
  }
}
