import Foundation

/// The state of the exchange for a part that other processes may change: our changes, and theirs.
///
/// Our changes are the difference between our state and the `base`, theirs that between the file and the base. Both
/// descend from the base. The base advances at two events: when we write, since the file then contains our state; and
/// when the writes of other processes have been installed, since our state then contains the file.
struct PartSharing: Sendable {
  /// Changes of other processes that are about to be installed. Our states up to and including `before` do not have
  /// these changes; all later states do.
  struct Arrival: Sendable {
    let before: PinnedState
    /// The base from then on.
    var base: PartContent
    /// Our state after the incoming changes have been installed.
    let merged: PartContent
    /// The part of the file that the incoming changes contain.
    let file: PartContent
  }

  /// `nil` while it is not known how our state was written when this member began. In this case the file is the base.
  private(set) var base: PartContent?
  /// The part of the file that our state has in it, if it is not the same as the base.
  private(set) var file: PartContent?
  /// Our state was taken from a removed member, not from the file, so its base is the base of that member.
  var isAhead = false
  private var arrival: Arrival?
  /// The part was added here, or removed here, and the file does not have this change yet.
  var isPut = false
  var isRemoved = false

  /// The content with which the member begins: first as the file has it, and, once this is known, as we would write it.
  mutating func begin(with base: PartContent?, file: PartContent?) {
    self.base = base
    self.file = file
    arrival = nil
  }

  /// Announces incoming changes, which will be installed soon.
  mutating func expect(_ arrival: Arrival) { self.arrival = arrival }

  /// Checks a state of ours: if it has the incoming changes, the base advances.
  ///
  /// - Returns: an object that the caller must release while it holds no lock.
  mutating func look(at state: PinnedState) -> Arrival? {
    guard let arrival, arrival.before.box !== state.box else { return nil }
    base = arrival.base
    file = arrival.file
    self.arrival = nil
    return arrival
  }

  /// Our state has everything of the file: both are known.
  mutating func didMerge(base: PartContent, file: PartContent) {
    self.base = base
    self.file = file
  }

  /// Our state has been written, together with changes of other processes that have not been installed yet.
  mutating func wrote(_ mine: PartContent) {
    base = mine
    // Once it is installed, our state equals the file.
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
  /// The other process's content as we would write it. It becomes the base when the content has been installed, if
  /// nothing is written.
  var normal: PartContent?

  /// Works it out.
  ///
  /// - Throws: why theirs cannot be used.
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
      // The entities identify the content: it equals our own encoding.
      let isOurs =
        if theirs.contents.isEmpty { try member.part.encode(state) == theirs.whole() } else { true }
      if isOurs { self.theirs = content }
      news = (state, content)
    }
    guard let found = self.theirs, found != mine, found != base else { return }
    let isChangedHere = mine != base
    guard found != sharing.file, let (decoded, normal) = news else {
      // The file has no new content. The other process's content may have properties that this version does not know.
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

  /// The record to make when the incoming state is installed.
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
