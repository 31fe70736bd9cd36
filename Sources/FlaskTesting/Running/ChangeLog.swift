internal import FlaskPrimitives

/// The changes since the last check, by substance, and the faults since the last check.
final class ChangeLog: FluxTracer {
  /// The states of a substance before and after its changes.
  ///
  /// `@unchecked Sendable`:
  /// - Invariant: constant copies of states, which are `Sendable`; their static types are unknown here.
  /// - If violated: a data race.
  struct Entry: @unchecked Sendable {
    let subject: Subject
    let old: Any
    var new: Any
    /// The operation that changed it first.
    let title: String
    let place: SourcePlace
  }

  private struct Recorder: Sendable {
    let subject: Subject
    let record: @Sendable (UnsafeRawPointer, [String]) -> Void
  }

  private struct State {
    var entries: [Entry] = []
    var faults: [FlaskFault] = []
    var recorders: [Recorder] = []
  }

  private let state = Lock(State())

  var wantsCommits: Bool { true }

  func didCommit(_ commit: borrowing TracedCommit, in operation: borrowing TracedOperation) {
    let subject = commit.subject
    record(commit)
    // Changes of derived values and of the status of a history need not be asserted.
    if commit.isDerived || commit.layout.stateType == HistoryStatus.self { return }
    let new = copiedValue(of: commit.layout.stateType, at: commit.new)
    let isKnown = state.withLock { state in
      guard let index = state.entries.firstIndex(where: { $0.subject === subject }) else { return false }
      state.entries[index].new = new
      return true
    }
    if isKnown { return }
    let entry = Entry(
      subject: subject,
      old: copiedValue(of: commit.layout.stateType, at: commit.old),
      new: new,
      title: operation.identity.testTitle,
      place: operation.identity.place
    )
    state.withLock { $0.entries.append(entry) }
  }

  func didEnd(_ operation: borrowing TracedOperation) {}

  func add(_ fault: FlaskFault) { state.withLock { $0.faults.append(fault) } }

  /// Removes changes from the log, and returns them in the order in which their substances first changed.
  ///
  /// - Parameter isTaken: whether the changes of a substance are removed.
  func takeChanges(where isTaken: (Entry) -> Bool) -> [Entry] {
    state.withLock { state in
      let taken = state.entries.filter(isTaken)
      state.entries.removeAll(where: isTaken)
      return taken
    }
  }

  /// Whether a substance has changed since its changes were removed.
  func hasChanges(of subject: Subject) -> Bool {
    state.withLock { $0.entries.contains { $0.subject === subject } }
  }

  func takeFaults() -> [FlaskFault] {
    state.withLock { state in
      defer { state.faults = [] }
      return state.faults
    }
  }

  /// From now on, calls `body` after each commit of a substance, with the address of its new state and the paths of the
  /// changed keys.
  func record(_ subject: Subject, _ body: @escaping @Sendable (UnsafeRawPointer, [String]) -> Void) {
    state.withLock { $0.recorders.append(Recorder(subject: subject, record: body)) }
  }

  private func record(_ commit: borrowing TracedCommit) {
    let subject = commit.subject
    let recorders = state.withLock { $0.recorders }.filter { $0.subject === subject }
    if recorders.isEmpty { return }
    var paths: [String] = []
    commit.forEachKey { paths.append(commit.layout.path(of: $0)) }
    for recorder in recorders { recorder.record(commit.new, paths) }
  }

  func end() {
    state.withLockReleasing { state in
      defer { state = State() }
      return state
    }
  }
}

extension OperationIdentity {
  /// For people: `action AddItem at Cart/List.swift:12`.
  var testTitle: String {
    let name = type.map { " \($0)" } ?? name.map { " \($0)" } ?? ""
    return "\(kind)\(name)" + (place.fileID.map { " at \($0):\(place.line)" } ?? "")
  }
}
