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
  /// A new state that an operation publishes.
  struct Arrival: Sendable {
    /// The state of the substance before the operation.
    let before: PinnedState
    /// The shadow of all states after it.
    let shadow: StateOutline
    /// The number of the commit up to which the shadow has all.
    var number: Int
    /// Whether the operation has ended.
    var isPublished = false
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

  /// Where the substance is in its life.
  enum Stage: Sendable {
    /// It is being made, and gets its first state: nothing is saved or installed.
    case joining
    case open
    /// It was released. What is pending is saved, and nothing is installed.
    case released
  }

  var presence = Presence.unknown
  var stage = Stage.joining
  var truth: StateOutline
  private(set) var shadow: StateOutline
  private(set) var arrival: Arrival?
  /// The number of the commit up to which memory has all, if it has not all that was read.
  private(set) var handedNumber = 0
  /// Why the truth can't be made a state with what is pending. It is tried again once one of them has changed.
  var unusable: ArchiveError?
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
    handOver(arrival.shadow, at: arrival.number)
    return shadow
  }

  /// Takes over an arrival, or forgets it if nothing came of it. No operation is in progress but the caller's.
  mutating func resolve(at state: PinnedState) { if shadow(of: state) == nil { arrival = nil } }

  mutating func expect(_ arrival: Arrival) { self.arrival = arrival }

  mutating func didPublish() { arrival?.isPublished = true }

  mutating func handOver(_ shadow: StateOutline, at number: Int) {
    self.shadow = shadow
    handedNumber = max(handedNumber, number)
    arrival = nil
  }

  /// Whether memory has, or is about to have, all that was read of the database.
  var isHandedOver: Bool { stage != .open || (arrival?.shadow ?? shadow).isSame(as: truth) }

  /// Whether something was read that can be installed.
  var isInstallable: Bool { unusable == nil && !isHandedOver }

  /// The number of the commit up to which memory has all.
  ///
  /// - Parameter number: the number up to which the truth was read.
  func reached(_ number: Int) -> Int {
    if stage != .open { return number }
    let published = arrival.map { $0.isPublished ? $0.shadow : shadow } ?? shadow
    if published.isSame(as: truth) { return number }
    return arrival.map { $0.isPublished ? max($0.number, handedNumber) : handedNumber } ?? handedNumber
  }

  /// The database has another history now, with other numbers.
  mutating func forgetReached() {
    handedNumber = 0
    arrival?.number = 0
  }

  /// The truth is about to be replaced.
  ///
  /// - Parameter number: what `reached(_:)` says.
  mutating func note(reached number: Int) { handedNumber = max(handedNumber, number) }
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

  /// This outline, which shares the memory of equal elements with another one.
  func sharing(with other: StateOutline) -> StateOutline {
    var contents = contents
    for (path, content) in contents {
      if let own = other.contents[path], content !== own, own.edit(from: content)?.isEmpty == true {
        contents[path] = own
      }
    }
    return StateOutline(text: text, contents: contents)
  }
}
