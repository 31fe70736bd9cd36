/// An operation on its way into a line.
struct OperationLine {
  let stored: StoredRecord
  let content: OperationContent?
  let commits: [CommitToRecord]
  /// Of each commit, encoded; `nil` where there is none.
  let patches: [[UInt8]?]
  let rules: RedactionRules

  /// - Parameter encoded: the JSON of a value; `nil` if it can't be encoded.
  func write(to line: inout RecordingLine, _ encoded: (any Encodable) -> [UInt8]?) {
    guard let record = stored.record(rules) else { return }
    line.add("number", record.number)
    line.add("kind", record.kind.rawValue)
    if let name = record.name { line.add("name", name) }
    line.addPlace(record.place)
    if let cause = record.cause { line.addObject("cause") { write(cause, to: &$0) } }
    line.add("submitted", record.submitted.wholeNanoseconds)
    line.add("begun", record.begun.wholeNanoseconds)
    line.add("ended", record.ended.wholeNanoseconds)
    line.add("isolation", "\(record.isolation)")
    if case .failed(let error) = record.outcome {
      line.add("outcome", "failed")
      line.add("error", error)
    } else {
      line.add("outcome", "\(record.outcome)")
    }
    if !commits.isEmpty {
      line.addList("changes", zip(commits, patches)) { change, line in
        line.object { write(change.0, change.1, to: &$0) }
      }
    }
    if !stored.tellings.isEmpty {
      line.addList("told", zip(stored.tellings, record.told)) { telling, line in
        line.object { write(telling.0, telling.1, to: &$0) }
      }
    }
    write(content, to: &line, encoded)
  }

  private func write(_ cause: OperationRecord.Cause, to line: inout RecordingLine) {
    if let operation = cause.operation { line.add("operation", operation) }
    switch cause.way {
    case .operation: line.add("way", "operation")
    case .observer: line.add("way", "observer")
    case .reaction(let owner):
      line.add("way", "reaction")
      line.add("of", owner)
    case .effect(let owner, let place):
      line.add("way", "effect")
      line.add("of", owner)
      line.addPlace(place)
    case .lock(let place):
      line.add("way", "lock")
      line.addPlace(place)
    }
  }

  private func write(
    _ commit: CommitToRecord,
    _ patch: [UInt8]?,
    to line: inout RecordingLine
  ) {
    line.add("substance", commit.subject.number)
    let subject = commit.subject.subject
    let keys = rules.keys(of: subject.layout)
    let change = stored.changes.first { $0.subject === subject }
    let changed = change?.keyNumbers ?? []
    line.add("keys", changed.map { keys.paths[$0] })
    let redacted = changed.filter { keys.isSecret[$0] }
    if !redacted.isEmpty { line.add("redacted", redacted.map { keys.paths[$0] }) }
    if change?.isDerived ?? false { line.add("isDerived", true) }
    switch commit.content {
    case .states, .patch: if let patch { line.add("patch", json: patch) }
    case .values(let values):
      if values.isEmpty { return }
      line.addList("values", values) { value, line in
        line.object {
          $0.add("key", keys.paths[value.key])
          $0.add("old", value.old)
          $0.add("new", value.new)
        }
      }
    }
  }

  private func write(
    _ telling: TracedOperation.Telling,
    _ record: OperationRecord.Telling,
    to line: inout RecordingLine
  ) {
    if let owner = record.reactorOf { line.add("reactor", owner) }
    if let commit = commits.first(where: { $0.subject.subject.serial == record.number }) {
      line.add("substance", commit.subject.number)
    }
    if let key = record.key { line.add("key", key) }
    line.add("nanoseconds", telling.duration)
    line.add("isLater", telling.isLater)
  }

  private func write(
    _ content: OperationContent?,
    to line: inout RecordingLine,
    _ encoded: (any Encodable) -> [UInt8]?
  ) {
    func writeValue(_ value: any Sendable, to line: inout RecordingLine) {
      let type = type(of: value as Any)
      line.add("type", rules.isSecret(type) ? RedactionRules.mark : StableTypeName.of(type))
      if rules.isSecret(type) { return }
      if let bytes = (value as? any Encodable).flatMap({ encoded($0) }) { line.add("value", json: bytes) }
    }
    switch content {
    case .none: break
    case .action(let action): line.addObject("action") { writeValue(action, to: &$0) }
    case .mixer(let type, let payload):
      line.addObject("mixer") { line in
        line.add("type", rules.isSecret(type) ? RedactionRules.mark : StableTypeName.of(type))
        guard let payload, !rules.isSecret(type) else { return }
        line.addObject("payload") { line in
          for (name, value) in payload.sorted(by: { $0.key < $1.key }) {
            line.addObject(name) { writeValue(value, to: &$0) }
          }
        }
      }
    }
  }
}

extension Duration {
  /// The same in nanoseconds.
  var wholeNanoseconds: Int64 {
    components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
  }
}
