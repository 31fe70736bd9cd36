internal import FlaskEntities

/// The versions of one part that a process holds.
///
/// ```text
/// truth    what the database has, as far as it was read
/// shadow   what memory was made of: the database as it was last handed over, or last written
/// memory   the state of the substance
/// ```
/// What is pending is the way from shadow to memory, and nothing else. An arrival makes memory from truth and what is
/// pending, and shadow becomes truth.
struct PartVersions: Sendable {
  /// A new state that an operation is about to publish.
  struct Arrival: Sendable {
    /// The saved state of the substance before the operation.
    let before: PinnedState
    /// The shadow of all states after it.
    let shadow: StateOutline
  }

  /// How the database stands to the part.
  enum Presence: Sendable {
    /// It was not read yet.
    case unknown
    /// It has no row of the part. The part's first change creates it.
    case absent
    case present
    /// The row of the state without its `Entities` can't be read, so nothing of the part is written.
    case unreadable(ArchiveError)
  }

  var presence = Presence.unknown
  var truth: StateOutline
  private(set) var shadow: StateOutline
  private(set) var arrival: Arrival?
  /// The state that was encoded last, and its outline.
  var known: (state: PinnedState, outline: StateOutline)?

  init(_ initial: StateOutline) {
    truth = initial
    shadow = initial
  }

  /// The shadow of a state: that after the arrival, if the state has the arrival. `nil` if the arrival is being
  /// published, and the state is still the one before it.
  mutating func shadow(of state: PinnedState) -> StateOutline? {
    guard let arrival else { return shadow }
    if arrival.before.box === state.box { return nil }
    shadow = arrival.shadow
    self.arrival = nil
    return shadow
  }

  mutating func expect(_ arrival: Arrival) { self.arrival = arrival }

  /// The shadow is exchanged while no arrival is on its way.
  mutating func handOver(_ shadow: StateOutline) { self.shadow = shadow }

  /// Whether memory has all that was read of the database.
  var isHandedOver: Bool { arrival?.shadow.isSame(as: truth) ?? shadow.isSame(as: truth) }

  /// Lets equal elements of truth and shadow share their memory.
  mutating func shareEqual() {
    guard truth.text == shadow.text else { return }
    var contents = truth.contents
    for (path, content) in truth.contents {
      if let own = shadow.contents[path], content !== own, own.edit(from: content)?.isEmpty == true {
        contents[path] = own
      }
    }
    truth = StateOutline(text: truth.text, contents: contents)
  }
}

extension StateOutline {
  /// Whether both have the same text, and the same elements in the same order.
  ///
  /// - Complexity: O(changes · log *n*) if one was made from the other.
  func isSame(as other: StateOutline) -> Bool {
    text == other.text
      && contents.allSatisfy { path, content in
        guard let known = other.contents[path] else { return false }
        return content === known || content.edit(from: known)?.isEmpty == true
      }
  }
}
