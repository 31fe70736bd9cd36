internal import FlaskDiff

/// A substance as a recording knows it.
struct RecordedSubject: Sendable {
  let number: Int
  let subject: Subject
  /// Whether the recording is known to contain the substance's state before its next commit. Otherwise this state must
  /// be recorded before the changes of that commit.
  var isConfirmed = true
}

/// A state that waits for the writer, which encodes it.
///
/// `@unchecked Sendable`:
/// - Invariant: a constant copy of a state, which is `Sendable`; its static type is unknown here.
/// - If violated: a data race.
struct StateToRecord: @unchecked Sendable {
  let subject: RecordedSubject
  /// `nil` if the state is not `Encodable`.
  let value: (any Encodable)?
}

extension StateToRecord {
  /// A copy of the state at an address.
  init(_ subject: RecordedSubject, at address: UnsafeRawPointer) {
    let type = subject.subject.layout.stateType
    self.init(subject: subject, value: copiedValue(of: type, at: address) as? any Encodable)
  }

  /// The changes from this state to another state of the substance.
  ///
  /// - Throws: the errors that the states throw when they are encoded.
  func changes(to new: StateToRecord, _ rules: RedactionRules) throws -> EncodedChanges {
    func open<State: Encodable>(_ old: State) throws -> EncodedChanges {
      guard let new = new.value as? State else { return EncodedChanges(redacting: rules) }
      return try EncodedChanges(from: old, to: new, redacting: rules)
    }
    guard let value else { return EncodedChanges(redacting: rules) }
    return try open(value)
  }
}

/// The changes of a commit, which wait for the writer.
struct CommitToRecord: Sendable {
  enum Content: Sendable {
    /// The states, which the writer compares.
    case states(old: StateToRecord, new: StateToRecord)
    case patch(EncodedChanges)
    /// The values of the changed keys as text, since the state is not `Encodable` and so the changes have no patch.
    case values([StoredRecord.Value])
  }

  let subject: RecordedSubject
  /// The state before the commit, if the recording does not have this state.
  let before: StateToRecord?
  let content: Content

  /// - Parameter isCompared: whether the states are compared at once, so that the entry contains only their changes.
  init(
    _ commit: borrowing TracedCommit,
    _ subject: RecordedSubject,
    isNew: Bool,
    isCompared: Bool,
    _ rules: RedactionRules
  ) {
    self.subject = subject
    let old = StateToRecord(subject, at: commit.old)
    let new = StateToRecord(subject, at: commit.new)
    before = isNew ? old : nil
    if old.value == nil {
      content = .values(commit.values(.all, rules))
    } else if isCompared, let changes = try? old.changes(to: new, rules) {
      content = .patch(changes)
    } else {
      content = .states(old: old, new: new)
    }
  }

  /// The changes in the encoded form of the state; `nil` if they are unknown.
  func changes(_ rules: RedactionRules) -> EncodedChanges? {
    switch content {
    case .states(let old, let new): try? old.changes(to: new, rules)
    case .patch(let changes): changes
    case .values: nil
    }
  }
}

/// A pending entry for the writer.
enum RecordingEntry: Sendable {
  case state(StateToRecord)
  case operation(StoredRecord, OperationContent?, [CommitToRecord])
  /// Operations that were not recorded, with the states after the last of them.
  case gap(first: Int, last: Int, count: Int, [StateToRecord])
  case end(last: Int)
}
