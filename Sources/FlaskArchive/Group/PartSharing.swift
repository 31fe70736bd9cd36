import Foundation

/// The exchange of one part with other processes: our changes, and the changes of other processes.
///
/// Our changes are the difference between our state and the `base`. The changes of other processes are the difference
/// between the file and the base. Both descend from the base. The base advances at two events: when we write, since the
/// file then contains our state; and when the writes of other processes have been installed, since our state then
/// contains the file.
struct PartSharing: Sendable {
  /// Changes of other processes that are about to be installed. Our states up to and including `before` do not have
  /// these changes; all later states do.
  struct Arrival: Sendable {
    let before: PinnedState
    /// The base from then on.
    var base: PartContent
    /// Our state after the incoming changes have been installed.
    let merged: PartContent
    /// The part in the file from which the incoming changes were computed.
    let file: PartContent
  }

  /// The common ancestor of our state and the file. It is `nil` until the first state of this member was encoded; until
  /// then `file` is the base.
  private(set) var base: PartContent?
  /// The part in the file whose changes our state already contains. It may differ from the base.
  private(set) var file: PartContent?
  /// True if our state was taken from a removed member, not from the file. Its base is then the base of that member.
  var isAhead = false
  private var arrival: Arrival?
  /// True if the part was added here (`isPut`) or removed here (`isRemoved`), and the file does not have this change
  /// yet.
  var isPut = false
  var isRemoved = false

  /// Sets the contents from which the exchange of a member begins: at first only the part in the file, later also the
  /// base, in the encoding of this version.
  mutating func begin(with base: PartContent?, file: PartContent?) {
    self.base = base
    self.file = file
    arrival = nil
  }

  /// Records that changes of other processes will be installed soon.
  mutating func expect(_ arrival: Arrival) { self.arrival = arrival }

  /// Advances the base if a state of ours contains the incoming changes.
  ///
  /// - Returns: an object that the caller must release while it holds no lock.
  mutating func look(at state: PinnedState) -> Arrival? {
    guard let arrival, arrival.before.box !== state.box else { return nil }
    base = arrival.base
    file = arrival.file
    self.arrival = nil
    return arrival
  }

  /// Records that our state contains all changes of the file, and the content of both.
  mutating func didMerge(base: PartContent, file: PartContent) {
    self.base = base
    self.file = file
  }

  /// Records that our state has been written, together with changes of other processes that are not installed yet.
  mutating func wrote(_ mine: PartContent) {
    base = mine
    // Once the incoming state is installed, our state equals the file, so the merged content becomes the base.
    if let merged = arrival?.merged { arrival?.base = merged }
  }
}

/// The next step of a part: its next content in the file and its next state in this process.
struct PartStep {
  let member: GroupContents.Member
  let state: PinnedState
  let mine: PartContent
  /// The content in the file.
  private(set) var theirs: PartContent?
  /// The new content of the file.
  var file: PartContent
  /// The new state of this process, with its content; `nil` if the process already has this state.
  var incoming: (state: PinnedState, content: PartContent)?
  /// The content of the other process in our own encoding. If nothing is written, it becomes the base once the content
  /// is installed.
  var normal: PartContent?

  /// Computes the step.
  ///
  /// - Throws: why the content of the other process cannot be used.
  init(
    _ member: GroupContents.Member,
    _ state: PinnedState,
    mine: PartContent,
    theirs: PartContent?,
    sharing: PartSharing
  ) throws(ArchiveError) {
    self.member = member
    self.state = state
    self.mine = mine
    file = mine
    self.theirs = theirs
    guard let theirs, let base = sharing.base ?? sharing.file, theirs != mine, theirs != base else { return }
    var news: (state: PinnedState, content: PartContent)?
    if theirs != sharing.file {
      let state = try member.part.state(of: theirs)
      let content = try member.part.content(of: state, after: mine)
      // Only a whole archive must be compared with our own encoding. A content with separate entities is in our
      // encoding already.
      let isOurs =
        if theirs.contents.isEmpty { try member.part.encode(state) == theirs.whole() } else { true }
      if isOurs { self.theirs = content }
      news = (state, content)
    }
    guard let found = self.theirs, found != mine, found != base else { return }
    let isChangedHere = mine != base
    guard found != sharing.file, let (decoded, normal) = news else {
      // The file has no new content, so nothing is installed. The content of the file is kept or merged, since it may
      // have properties that this version does not know.
      file = isChangedHere ? try member.part.merge(base: base, mine: mine, theirs: found) : found
      return
    }
    self.normal = normal
    if isChangedHere {
      file = try member.part.merge(base: base, mine: mine, theirs: found)
      let merged = try member.part.state(of: file)
      let content = try member.part.content(of: merged, after: mine)
      if content != mine { incoming = (merged, content) }
      if try member.part.encode(merged) == file.whole() { file = content }
    } else {
      file = found
      if normal != mine { incoming = (decoded, normal) }
    }
  }

  /// Records the result for the part once the file is written, or has been left unchanged.
  func settle(_ sharing: inout PartSharing, isWritten: Bool) {
    if isWritten { (sharing.isPut, sharing.isRemoved) = (false, false) }
    if incoming != nil {
      if isWritten, file != theirs { sharing.wrote(mine) }
    } else if isWritten || file == theirs || mine == theirs {
      sharing.didMerge(base: mine, file: file)
    } else if let normal, let theirs {
      sharing.didMerge(base: normal, file: theirs)
    }
  }

  /// Returns the incoming changes to announce before the new state is installed; `nil` if there is no new state.
  func arrival(isWritten: Bool) -> PartSharing.Arrival? {
    guard let incoming, let theirs else { return nil }
    let isFile = isWritten || file == theirs
    return PartSharing.Arrival(
      before: state,
      base: isFile ? incoming.content : normal ?? incoming.content,
      merged: incoming.content,
      file: isFile ? file : theirs
    )
  }
}
