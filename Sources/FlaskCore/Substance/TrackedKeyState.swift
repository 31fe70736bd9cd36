internal import Synchronization

/// The state of one generation of a tracked key: whether its closures were notified of its change. The events are
/// functions that return what `TrackedKey` must do; it stores this state in one atomic byte.
///
/// ```text
///            wasHashed           expire               beginAnnouncing
///   unread ────────────► armed ─────────► changed ────────────────────┐
///     ▲                                                               ▼
///     │ renew, unless one more announcement                       announcing
///     │ is scheduled or in progress                                 │   ▲
///     │                                          endAnnouncing      │   │ beginAnnouncingAgain
///     └──────────────────────────────── announced ◄─────────────────┘   │
///                                           └───────────────────────────┘
/// ```
/// From `changed` on the key is stale. A hash of a stale key may be that of a closure that is registered too late for
/// the announcement, so it schedules one more. That announcement must search for closures after this hash: so it is no
/// longer scheduled from its beginning on, and a hash during it schedules another one.
struct TrackedKeyState: RawRepresentable, AtomicRepresentable, Equatable {
  private enum Phase: UInt8 {
    /// No tracked closure has read the key.
    case unread
    /// A tracked closure has read the key, and Observation must be notified of its change.
    case armed
    /// The value of the key has changed, and Observation will be notified.
    case changed
    /// A thread notifies Observation of the change.
    case announcing
    /// Observation was notified of the change.
    case announced
  }

  private var phase: Phase
  /// Whether one more announcement is scheduled.
  private var isComingAgain: Bool

  init() {
    phase = .unread
    isComingAgain = false
  }

  init?(rawValue: UInt8) {
    guard let phase = Phase(rawValue: rawValue >> 1) else { return nil }
    self.phase = phase
    isComingAgain = rawValue & 1 != 0
  }

  var rawValue: UInt8 { phase.rawValue << 1 | (isComingAgain ? 1 : 0) }

  /// Whether a tracked closure has read the key.
  var isArmed: Bool { phase != .unread }

  /// Whether the value of the key has changed since this generation was made.
  var isStale: Bool { phase != .unread && phase != .armed }

  // MARK: Events

  /// The key was hashed: Observation registers a read of it, or searches for its closures.
  ///
  /// - Parameter isAnnouncer: whether the thread that announces the key has hashed it, which is a search.
  /// - Returns: whether the caller must schedule one more announcement.
  mutating func wasHashed(byAnnouncer isAnnouncer: Bool) -> Bool {
    switch phase {
    case .unread:
      phase = .armed
      return false
    case .armed:
      return false
    case .announcing where isAnnouncer:
      return false
    case .changed, .announcing, .announced:
      if isComingAgain { return false }
      isComingAgain = true
      return true
    }
  }

  /// The value of the key has changed.
  ///
  /// - Returns: whether the caller must announce that: a tracked closure has read the key, and this is the first change
  ///   since.
  mutating func expire() -> Bool {
    if phase != .armed { return false }
    phase = .changed
    return true
  }

  /// The announcement of the change begins.
  mutating func beginAnnouncing() { phase = .announcing }

  mutating func endAnnouncing() { phase = .announced }

  /// The scheduled announcement begins.
  ///
  /// - Returns: `false` if it must begin later, after the announcement before it.
  mutating func beginAnnouncingAgain() -> Bool {
    if phase != .announced { return false }
    phase = .announcing
    isComingAgain = false
    return true
  }

  /// Makes this the state of another generation. Precondition: no tracked closure refers to the key.
  ///
  /// - Returns: `false`, and changes nothing, if an announcement is scheduled or in progress: it would notify without a
  ///   change.
  mutating func renew() -> Bool {
    if isComingAgain || phase == .announcing { return false }
    phase = .unread
    return true
  }
}
