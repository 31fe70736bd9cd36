/// The line of an operation in a recording: each member is written and read here.

extension OperationRecord {
  /// Adds the operation to its JSON line; its `content` is written separately.
  ///
  /// - Parameters:
  ///   - commits: the commits of the operation, in order.
  ///   - patches: the encoded patch of each commit; `nil` for a commit without a patch.
  func write(_ commits: [CommitToRecord], _ patches: [[UInt8]?], to line: inout RecordingLine) {
    line.add("number", number)
    line.add("kind", kind.rawValue)
    if let name { line.add("name", name) }
    line.addPlace(place)
    if let cause { line.addObject("cause") { cause.write(to: &$0) } }
    line.add("submitted", submitted.wholeNanoseconds)
    line.add("begun", begun.wholeNanoseconds)
    line.add("ended", ended.wholeNanoseconds)
    line.add("isolation", isolation.rawValue)
    outcome.write(to: &line)
    let subjects = Dictionary(commits.map { ($0.subject.subject.serial, $0.subject.number) }) { first, _ in
      first
    }
    if !commits.isEmpty {
      line.addList("changes", zip(commits, patches)) { commit, line in
        let (commit, patch) = commit
        let change = changes.first { $0.number == commit.subject.subject.serial }
        line.object {
          commit.write(change?.keys ?? [], isDerived: change?.isDerived ?? false, patch, to: &$0)
        }
      }
    }
    if !notifications.isEmpty {
      line.addList("told", notifications) { notification, line in
        line.object { notification.write(notification.number.flatMap { subjects[$0] }, to: &$0) }
      }
    }
  }

  /// Reads the line of an operation.
  ///
  /// - Parameters:
  ///   - line: the line.
  ///   - names: the names of the substances, by their numbers in the recording.
  /// - Returns: `nil` if the line does not record an operation.
  init?(_ line: ArchiveValue, names: [Int: String]) {
    guard let number = line["number"]?.int,
      let kind = line["kind"]?.string.flatMap({ Kind(rawValue: $0) }),
      let outcome = Outcome(recorded: line)
    else { return nil }
    var changes: [Change] = []
    for change in line["changes"]?.array ?? [] {
      guard let change = Change(recorded: change, names) else { return nil }
      changes.append(change)
    }
    self.init(
      number: number,
      kind: kind,
      name: line["name"]?.string,
      place: Place(recorded: line["place"]),
      cause: Cause(recorded: line["cause"]),
      submitted: .nanoseconds(line["submitted"]?.int ?? 0),
      begun: .nanoseconds(line["begun"]?.int ?? 0),
      ended: .nanoseconds(line["ended"]?.int ?? 0),
      isolation: line["isolation"]?.string.flatMap { Isolation(rawValue: $0) } ?? .nonisolated,
      outcome: outcome,
      changes: changes,
      notifications: (line["told"]?.array ?? []).map { Notification(recorded: $0, names) },
      content: Content(recorded: line)
    )
  }
}

extension OperationRecord.Outcome {
  fileprivate func write(to line: inout RecordingLine) {
    guard case .failed(let error) = self else { return line.add("outcome", description) }
    line.add("outcome", "failed")
    line.add("error", error)
  }

  fileprivate init?(recorded line: ArchiveValue) {
    let name = line["outcome"]?.string
    let all: [Self] = [.committed, .unchanged, .aborted, .purged, .gone, .cancelled]
    let known = all.first { $0.description == name }
    let failure = Self.failed(error: line["error"]?.string ?? "")
    guard let outcome = name == "failed" ? failure : known else { return nil }
    self = outcome
  }
}

extension OperationRecord.Place {
  fileprivate init?(recorded value: ArchiveValue?) {
    guard let text = value?.string, let colon = text.lastIndex(of: ":"),
      let line = UInt(text[text.index(after: colon)...])
    else { return nil }
    self.init(fileID: String(text[..<colon]), line: line)
  }
}

extension OperationRecord.Cause {
  fileprivate func write(to line: inout RecordingLine) {
    if let operation { line.add("operation", operation) }
    switch kind {
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

  fileprivate init?(recorded value: ArchiveValue?) {
    guard let value else { return nil }
    let place = OperationRecord.Place(recorded: value["place"])
    let owner = value["of"]?.string ?? ""
    switch value["way"]?.string {
    case "operation": kind = .operation
    case "reaction": kind = .reaction(of: owner)
    case "observer": kind = .observer
    case "effect": kind = .effect(of: owner, at: place)
    case "lock": kind = .lock(at: place)
    default: return nil
    }
    operation = value["operation"]?.int
  }
}

extension CommitToRecord {
  fileprivate func write(
    _ keys: [OperationRecord.Key],
    isDerived: Bool,
    _ patch: [UInt8]?,
    to line: inout RecordingLine
  ) {
    line.add("substance", subject.number)
    line.add("keys", keys.map(\.path))
    let redacted = keys.filter(\.isRedacted)
    if !redacted.isEmpty { line.add("redacted", redacted.map(\.path)) }
    if isDerived { line.add("isDerived", true) }
    switch content {
    case .states, .patch: if let patch { line.add("patch", json: patch) }
    case .values(let values):
      if values.isEmpty { return }
      line.addList("values", values) { value, line in
        line.object {
          $0.add("key", subject.subject.layout.path(of: value.key))
          $0.add("old", value.old)
          $0.add("new", value.new)
        }
      }
    }
  }
}

extension OperationRecord.Change {
  fileprivate init?(recorded line: ArchiveValue, _ names: [Int: String]) {
    guard let number = line["substance"]?.int else { return nil }
    let redacted = Set((line["redacted"]?.array ?? []).compactMap(\.string))
    let values = line["values"]?.array ?? []
    let keys = (line["keys"]?.array ?? []).compactMap(\.string)
    let patch = line["patch"].flatMap { JSONPatch($0) }
    if patch == nil, line["patch"] != nil { return nil }
    self.init(
      substance: names[number] ?? "substance \(number)",
      keys: keys.map { key in
        let value = values.first { $0["key"]?.string == key }
        return OperationRecord.Key(
          path: key,
          old: value?["old"]?.string,
          new: value?["new"]?.string,
          isRedacted: redacted.contains(key)
        )
      },
      isDerived: line["isDerived"]?.bool ?? false,
      number: number,
      patch: patch
    )
  }
}

extension OperationRecord.Notification {
  /// - Parameter substance: the number of the substance in the recording; `nil` if the recording does not know the
  ///   substance.
  fileprivate func write(_ substance: Int?, to line: inout RecordingLine) {
    if let reactorOf { line.add("reactor", reactorOf) }
    if let substance { line.add("substance", substance) }
    if let key { line.add("key", key) }
    line.add("nanoseconds", duration.wholeNanoseconds)
    line.add("isLater", isLater)
  }

  fileprivate init(recorded line: ArchiveValue, _ names: [Int: String]) {
    let number = line["substance"]?.int
    self.init(
      reactorOf: line["reactor"]?.string,
      substance: number.flatMap { names[$0] } ?? "",
      number: number,
      key: line["key"]?.string,
      duration: .nanoseconds(line["nanoseconds"]?.int ?? 0),
      isLater: line["isLater"]?.bool ?? false
    )
  }
}

extension OperationContent {
  /// Adds the content of the operation.
  ///
  /// - Parameter encoded: returns the JSON of a value, or `nil` if the value can't be encoded.
  func write(to line: inout RecordingLine, _ rules: RedactionRules, _ encoded: (any Encodable) -> [UInt8]?) {
    func writeValue(_ value: any Sendable, to line: inout RecordingLine) {
      let type = type(of: value as Any)
      line.add("type", rules.isSecret(type) ? RedactionRules.mark : StableTypeName.of(type))
      if rules.isSecret(type) { return }
      if let bytes = (value as? any Encodable).flatMap({ encoded($0) }) { line.add("value", json: bytes) }
    }
    switch self {
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

extension OperationRecord.Content {
  fileprivate init?(recorded line: ArchiveValue) {
    func value(_ line: ArchiveValue) -> Value? {
      line["type"]?.string.map { Value(type: $0, value: line["value"]) }
    }
    if let action = line["action"].flatMap(value) {
      self = .action(action)
    } else if let mixer = line["mixer"], let type = mixer["type"]?.string {
      self = .mixer(type: type, payload: mixer["payload"]?.object?.compactMapValues(value))
    } else {
      return nil
    }
  }
}

extension Duration {
  /// The duration in nanoseconds.
  fileprivate var wholeNanoseconds: Int64 {
    components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
  }
}
