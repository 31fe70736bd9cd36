@_spi(FlaskInternals) internal import FlaskCore
@_spi(FlaskInternals) internal import FlaskDiff

/// A substance as a recording knows it.
struct RecordedSubject: Sendable {
  let number: Int
  let subject: Subject
  /// Whether the recording has the state before the next commit for certain.
  var isConfirmed = true
}

/// A state on its way to the writer, who encodes it.
///
/// `@unchecked Sendable`: a copy of a state, which is `Sendable`; without a static type this can't be said.
struct StateToRecord: @unchecked Sendable {
  let subject: RecordedSubject
  /// `nil` if the state is not `Encodable`.
  let value: (any Encodable)?

  init(_ subject: RecordedSubject, _ value: (any Encodable)?) {
    self.subject = subject
    self.value = value
  }

  /// A copy of the state at an address.
  init(_ subject: RecordedSubject, at address: UnsafeRawPointer) {
    self.init(subject, StateToRecord.copy(address, subject.subject.layout.stateType))
  }

  private static func copy(_ address: UnsafeRawPointer, _ type: Any.Type) -> (any Encodable)? {
    // The flux lends the address of a value of just this type, for the length of the call.
    func open<State: Encodable>(_ type: State.Type) -> any Encodable {
      address.assumingMemoryBound(to: State.self).pointee
    }
    return (type as? any Encodable.Type).map { open($0) }
  }
}

/// What a commit has changed, on its way to the writer.
struct CommitToRecord: Sendable {
  enum Content: Sendable {
    case patch(EncodedChanges)
    /// There is no patch, but the values as texts.
    case values([StoredRecord.Value])
  }

  let subject: RecordedSubject
  /// The state before, if the recording does not have it.
  let before: StateToRecord?
  let content: Content

  init(_ commit: borrowing TracedCommit, _ subject: RecordedSubject, isNew: Bool, _ rules: RedactionRules) {
    self.subject = subject
    before = isNew ? StateToRecord(subject, at: commit.old) : nil
    let (old, new) = (commit.old, commit.new)
    func changes<State: Encodable>(_ type: State.Type) throws -> EncodedChanges {
      try EncodedChanges(
        from: old.assumingMemoryBound(to: State.self).pointee,
        to: new.assumingMemoryBound(to: State.self).pointee,
        redacting: rules
      )
    }
    if let type = commit.layout.stateType as? any Encodable.Type, let changes = try? changes(type) {
      content = .patch(changes)
    } else {
      content = .values(commit.values(.all, rules))
    }
  }
}

/// What waits for the writer.
enum RecordingEntry: Sendable {
  case state(StateToRecord)
  case operation(StoredRecord, OperationContent?, [CommitToRecord])
  /// Operations were left out; the states after them.
  case gap(first: Int, last: Int, count: Int, [StateToRecord])
  case end(last: Int)
}
