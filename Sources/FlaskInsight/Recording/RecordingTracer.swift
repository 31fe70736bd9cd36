internal import FlaskPrimitives

/// Passes each operation of a flux to a writer. Runs on the thread that performs the operation, and never waits for the
/// writer.
///
/// The number of waiting entries is limited. If the list is full when an operation begins, this and the next operations
/// are skipped, until half of the list has been written. Then a gap is recorded, with the states after the gap.
/// Operations of a `RecordingPlayer` are also skipped.
final class RecordingTracer: FluxTracer {
  private struct Gap {
    var first: Int
    var last: Int
    var count = 0
  }

  private struct State {
    var waiting: [RecordingEntry] = []
    var isWriterAwake = false
    var subjects: [ObjectIdentifier: RecordedSubject] = [:]
    /// When `subjects` has this many entries, the entries of deallocated substances are removed.
    var subjectLimit = 1_000
    var lastSubject = 0
    /// The commits that the operation in progress has made.
    var commits: [CommitToRecord] = []
    var isLeavingOut = false
    var gap: Gap?
    /// By substance, the last state that skipped operations made: for the gap's entry.
    var leftOut: [ObjectIdentifier: StateToRecord] = [:]
    /// The states before the skipped operations, of substances that the recording did not know.
    var before: [StateToRecord] = []
    var last = 0
    var isStopped = false

    func isFull(_ limit: Int) -> Bool { waiting.count >= (gap == nil ? limit : max(1, limit / 2)) }

    /// Returns the recorded substance, and whether its state must be recorded before its next commit. Registers a
    /// substance that is not known yet.
    mutating func subject(_ subject: Subject) -> (known: RecordedSubject, isNew: Bool) {
      if let known = subjects[ObjectIdentifier(subject)] {
        if !known.isConfirmed { subjects[ObjectIdentifier(subject)]?.isConfirmed = true }
        return (known, !known.isConfirmed)
      }
      if subjects.count >= subjectLimit {
        // Subjects have no references to client code, so they may be released under the lock.
        subjects = subjects.filter { $0.value.subject.isAlive }
        subjectLimit = max(1_000, 2 * subjects.count)
      }
      lastSubject += 1
      let new = RecordedSubject(number: lastSubject, subject: subject)
      subjects[ObjectIdentifier(subject)] = new
      return (new, true)
    }

    mutating func noteGap(_ number: Int) {
      var noted = gap ?? Gap(first: number, last: number)
      noted.last = max(noted.last, number)
      noted.count += 1
      gap = noted
    }

    /// Records a gap if operations were skipped. Called before the next entry is recorded.
    mutating func closeGap() {
      guard let gap = gap.take() else { return }
      let states = leftOut.values.sorted { $0.subject.number < $1.subject.number }
      for state in before { waiting.append(.state(state)) }
      waiting.append(.gap(first: gap.first, last: gap.last, count: gap.count, states))
      leftOut = [:]
      before = []
    }

    /// Whether the caller must wake the writer.
    mutating func wake() -> Bool {
      defer { isWriterAwake = true }
      return !isWriterAwake
    }
  }

  /// The maximum of queued operations with their states. Beyond it, the states are compared on the performing thread,
  /// so that only the changes are kept in memory.
  private static let mostWithStates = 256

  let rules: RedactionRules
  private let limit: Int
  private let state = Lock(State())
  private let writer: RecordingWriter

  init(_ writer: RecordingWriter, limit: Int, rules: RedactionRules) {
    self.writer = writer
    self.limit = limit
    self.rules = rules
  }

  var wantsCommits: Bool { true }

  // MARK: By the performer

  var wantsBeginnings: Bool { true }

  func didBegin(_ operation: borrowing TracedOperation) {
    state.withLock { $0.isLeavingOut = $0.isFull(limit) }
  }

  func didCommit(_ commit: borrowing TracedCommit, in operation: borrowing TracedOperation) {
    let kind = operation.identity.kind
    if kind == .travel { return }
    let subject = commit.subject
    let (known, isNew, isLeavingOut, isBehind) = state.withLock { state in
      let (known, isNew) = state.subject(subject)
      let isBehind = state.waiting.count >= RecordingTracer.mostWithStates
      return (known, isNew, state.isLeavingOut || kind == .replay, isBehind)
    }
    if isLeavingOut {
      let old = StateToRecord(known, at: commit.old)
      let new = StateToRecord(known, at: commit.new)
      // Holds the replaced value, so that it is released after the lock.
      let replaced = state.withLock { state in
        if isNew { state.before.append(old) }
        return state.leftOut.updateValue(new, forKey: ObjectIdentifier(subject))
      }
      withExtendedLifetime((old, replaced)) {}
    } else {
      let commit = CommitToRecord(commit, known, isNew: isNew, isCompared: isBehind, rules)
      state.withLock { $0.commits.append(commit) }
    }
  }

  func didEnd(_ operation: borrowing TracedOperation) {
    let kind = operation.identity.kind
    if kind == .travel { return }
    var record = StoredRecord()
    record.fill(operation, rules)
    let number = operation.number
    let content = operation.content
    let isDropped =
      switch operation.outcome {
      case .purged, .cancelled: true
      default: false
      }
    let isToBeWoken = state.withLock { state -> Bool in
      if state.isStopped { return false }
      state.last = max(state.last, number)
      // The limit of waiting entries is checked when an operation begins. An operation that was dropped from the queue
      // never began, so the limit is checked now.
      if isDropped ? state.isFull(limit) : state.isLeavingOut || kind == .replay {
        state.noteGap(number)
        return false
      }
      state.closeGap()
      state.waiting.append(.operation(record, content, isDropped ? [] : state.commits))
      if !isDropped { state.commits = [] }
      return state.wake()
    }
    if isToBeWoken { wakeWriter() }
  }

  /// The number of a substance in the recording; `nil` if the recording does not know the substance.
  func number(of subject: Subject) -> Int? {
    state.withLock { $0.subjects[ObjectIdentifier(subject)]?.number }
  }

  // MARK: The writer

  /// Records the current states of substances whose states have not been recorded yet.
  func add(_ substances: [AnySubstance]) {
    for substance in substances {
      let new = state.withLock { state -> RecordedSubject? in
        let (known, isNew) = state.subject(substance.subject)
        // The state before the first commit is recorded again, since a commit that is not recorded may have come
        // between.
        state.subjects[ObjectIdentifier(substance.subject)]?.isConfirmed = !isNew
        return isNew ? known : nil
      }
      guard let new else { continue }
      let present = substance.withPresentState { StateToRecord(new, at: $0) }
      state.withLock { $0.waiting.append(.state(present)) }
    }
    flush()
  }

  /// Makes the writer write the pending entries.
  func flush() {
    state.withLock { state in
      if !state.isStopped { state.closeGap() }
      state.isWriterAwake = true
    }
    // The writer is woken although another thread may be about to wake it: the caller waits for the pending entries.
    wakeWriter()
  }

  /// Records the end of the recording. Nothing is recorded after it.
  func stop() {
    state.withLock { state in
      state.isWriterAwake = true
      if state.isStopped { return }
      state.isStopped = true
      state.closeGap()
      state.waiting.append(.end(last: state.last))
    }
    // As in `flush()`.
    wakeWriter()
  }

  private func wakeWriter() {
    writer.perform { [self] writer in
      while true {
        let entries = state.withLock { state -> [RecordingEntry] in
          if state.waiting.isEmpty { state.isWriterAwake = false }
          defer { state.waiting = [] }
          return state.waiting
        }
        if entries.isEmpty { return }
        let lost = writer.write(entries)
        if lost.isEmpty { continue }
        // A state or change of these substances could not be encoded. So the recording needs their states again before
        // their next change.
        state.withLock { state in
          for subject in lost { state.subjects[ObjectIdentifier(subject)]?.isConfirmed = false }
        }
      }
    }
  }
}
