internal import Dispatch
internal import Foundation

/// Writes entries as lines. It encodes values of client types on its own queue.
///
/// `@unchecked Sendable`:
/// - Isolation: everything that is not constant belongs to `queue`.
/// - If violated: a data race.
final class RecordingWriter: @unchecked Sendable {
  private static let current = DispatchSpecificKey<ObjectIdentifier>()
  private let queue = DispatchQueue(label: "Flask.recording", qos: .utility)
  private let path: String
  private let limits: RecordingLimits
  private let rules: RedactionRules
  /// Called once, on the queue, when an entry cannot be written. Nothing is written after this call.
  var onFailure: @Sendable (any Error) -> Void = { _ in }
  private var file: RecordingPart?
  private var part = 0
  private var hasFailed = false
  /// The encoded states that were written apart from an operation, by the number of the substance. An equal state
  /// before the next commit is not written again.
  private var written: [Int: [UInt8]] = [:]
  /// The substances with a state or a change that could not be encoded, in the entries that are being written.
  private var lost: [Subject] = []
  /// The substances and their present states, with which the next part begins. Without limits there is no next part,
  /// and the states are not stored.
  private var present: [Int: (subject: RecordedSubject, state: ArchiveValue?)] = [:]

  init(to path: String, limits: RecordingLimits, rules: RedactionRules) throws {
    self.path = path
    self.limits = limits
    self.rules = rules
    queue.setSpecific(key: RecordingWriter.current, value: ObjectIdentifier(self))
    try beginPart()
  }

  func perform(_ body: @escaping @Sendable (RecordingWriter) -> Void) { queue.async { body(self) } }

  /// Returns when all work that was enqueued before has been done.
  func finished() async {
    await handedOver { deliver in queue.async { deliver(()) } }
  }

  /// Waits like `finished()`, but blocks the thread. Client code may call this function while it is encoded on the
  /// queue. Then the function returns at once, to avoid a deadlock, and the write in progress continues.
  func wait() {
    if DispatchQueue.getSpecific(key: RecordingWriter.current) != ObjectIdentifier(self) { queue.sync {} }
  }

  // MARK: On the queue

  /// Writes the entries.
  ///
  /// - Returns: the substances whose states are unknown from now on, since a state or a change could not be encoded.
  func write(_ entries: [RecordingEntry]) -> [Subject] {
    if hasFailed { return [] }
    lost = []
    do {
      for entry in entries {
        try write(entry)
        if file?.isFull ?? false { try beginPart() }
      }
      try file?.flush()
    } catch {
      hasFailed = true
      file = nil
      present = [:]
      written = [:]
      onFailure(error)
    }
    return lost
  }

  private func beginPart() throws {
    part += 1
    try file?.flush()
    file = nil
    if part > 1 { try RecordingPart.makePrevious(path) } else { try RecordingPart.removePrevious(path) }
    file = try RecordingPart(path, limits)
    var line = RecordingLine("header")
    line.add("format", "flask-recording")
    line.add("version", Recording.version)
    line.add("part", part)
    line.add("began", Date().ISO8601Format(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
    line.add("clock", OperationSubmission.now)
    try file?.write(line)
    present = present.filter { $0.value.subject.subject.isAlive }
    for (_, entry) in present.sorted(by: { $0.key < $1.key }) {
      try writeSubstance(entry.subject, state: entry.state.map { Array($0.text) }, reason: nil)
    }
    file?.didBegin()
    // The first line reaches the file now. If the process were killed before that, the new part would be no recording,
    // and the previous part would be taken for an older recording.
    try file?.flush()
  }

  private func write(_ entry: RecordingEntry) throws {
    switch entry {
    case .state(let state): written[state.subject.number] = try write(state)
    case .operation(let record, let content, let commits):
      for state in commits.compactMap(\.before) { _ = try write(state) }
      let patches = commits.map { patch(of: $0) }
      var line = RecordingLine("operation")
      record.record(rules)?.write(commits, patches, to: &line)
      content?.write(to: &line, rules) { try? encoded($0) }
      try file?.write(line)
      file?.didWriteOperation()
      if limits.areSet { follow(commits, patches) }
    case .gap(let first, let last, let count, let states):
      var line = RecordingLine("gap")
      line.add("first", first)
      line.add("last", last)
      line.add("count", count)
      try file?.write(line)
      for state in states { _ = try write(state) }
    case .end(let last):
      var line = RecordingLine("end")
      line.add("last", last)
      try file?.write(line)
      try file?.flush()
      file = nil
      hasFailed = true
    }
  }

  /// Writes the line of a substance with its state, unless `written` contains an equal state.
  ///
  /// - Returns: the encoded state.
  private func write(_ state: StateToRecord) throws -> [UInt8]? {
    var bytes: [UInt8]?
    var reason: String?
    if let value = state.value {
      do { bytes = try encoded(value) } catch {
        reason = "its state can't be encoded: \(type(of: error))"
        lost.append(state.subject.subject)
      }
    } else {
      reason = "its state is not Encodable"
    }
    let before = written.removeValue(forKey: state.subject.number)
    if before != nil && before == bytes { return bytes }
    try writeSubstance(state.subject, state: bytes, reason: reason)
    if limits.areSet {
      present[state.subject.number] = (state.subject, bytes.flatMap { try? ArchiveValue(recorded: $0) })
    }
    return bytes
  }

  private func writeSubstance(_ subject: RecordedSubject, state: [UInt8]?, reason: String?) throws {
    var line = RecordingLine("substance")
    line.add("substance", subject.number)
    line.add("name", subject.subject.name)
    line.add("isNamed", subject.subject.isNamed)
    line.add("type", StableTypeName.of(subject.subject.layout.stateType))
    let location = subject.subject.location
    line.add("place", location.description)
    if let state { line.add("state", json: state) }
    if let reason { line.add("reason", reason) }
    try file?.write(line)
  }

  /// Returns the encoded patch of a commit; `nil` if it cannot be encoded.
  private func patch(of commit: CommitToRecord) -> [UInt8]? {
    let subject = commit.subject.subject
    if let changes = commit.changes(rules),
      let patch = try? encoded(EncodedPatch(changes: changes, rules: rules))
    {
      return patch
    }
    if subject.layout.stateType is any Encodable.Type { lost.append(subject) }
    return nil
  }

  /// Applies the changes of an operation to the present states. A state whose change has no patch is unknown from there
  /// on.
  private func follow(_ commits: [CommitToRecord], _ patches: [[UInt8]?]) {
    for (commit, bytes) in zip(commits, patches) {
      // The state is removed from the dictionary while it changes, so that it is changed in place and not copied.
      guard var state = present[commit.subject.number]?.state.take(), let bytes,
        let patch = (try? ArchiveValue(recorded: bytes)).flatMap({ JSONPatch($0) })
      else { continue }
      do { try patch.apply(to: &state) } catch { continue }
      present[commit.subject.number]?.state = state
    }
  }

  private func encoded(_ value: any Encodable) throws -> [UInt8] {
    func open(_ value: some Encodable) throws -> [UInt8] { Array(try SubstanceSerializer.data(from: value)) }
    // An `EncodedPatch` redacts its values itself.
    return value is EncodedPatch ? try open(value) : try open(RedactedValue(value, rules))
  }
}
