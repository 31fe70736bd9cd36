internal import FlaskEntities

/// The three versions of one part in a process, for a three-way merge:
///
/// ```text
/// truth    the content of the database, as of the last read or write
/// shadow   the content of the database that memory is based on: the common ancestor of truth and memory
/// memory   the state of the substance
/// ```
/// The pending changes are the difference from shadow to memory. An *arrival* is an operation that installs changes of
/// other processes. It applies the pending changes to the truth, and the result becomes memory. Then truth becomes the
/// shadow.
struct PartVersions: Sendable {
  /// A new state that an operation publishes.
  struct Arrival: Sendable {
    /// The state of the substance before the operation.
    let before: PinnedState
    /// The rows that the database had, on which the new and later states are based.
    let shadow: StateOutline
    /// The number of the commit up to which the shadow has all.
    var number: Int
    /// Whether the operation has ended.
    var isPublished = false
  }

  /// Whether the database has the part.
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
  /// A lower bound for `reached(_:)`: memory contains the changes of all commits up to this number. It is used while
  /// memory lacks changes that were read.
  private(set) var handedNumber = 0
  /// Why the merge of the truth and the pending changes can't be decoded as a state; `nil` if it can. The merge is
  /// tried again once either of the two has changed.
  var unusable: ArchiveError?
  /// The state that was encoded last, and its outline.
  var known: (state: PinnedState, outline: StateOutline)?

  init(_ initial: StateOutline) {
    truth = initial
    shadow = initial
  }

  /// The shadow that belongs to a present state. If the state contains an arrival, the arrival's shadow is taken over
  /// first. The result is `nil` while an arrival is being published: the state is still the one before it.
  mutating func shadow(of state: PinnedState) -> StateOutline? {
    guard let arrival else { return shadow }
    if arrival.before.box === state.box { return nil }
    handOver(arrival.shadow, at: arrival.number)
    return shadow
  }

  /// Takes over the arrival if `state` contains it; otherwise drops it, since its operation was not committed. Called
  /// inside an operation of the flux, so no other operation can be publishing the arrival.
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

  /// The number of the last commit whose changes memory contains, together with those of all earlier commits.
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
  mutating func didReach(_ number: Int) { handedNumber = max(handedNumber, number) }
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
