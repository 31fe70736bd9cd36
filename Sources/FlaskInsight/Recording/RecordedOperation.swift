/// One operation of a recording.
public struct RecordedOperation: Sendable, Identifiable {
  /// What it changed in one substance.
  public struct Change: Sendable {
    /// The number of the substance.
    public let substance: Int
    /// The changed keys, nested ones with dots.
    public let keys: [String]
    /// Those of them whose values are secret.
    public let redactedKeys: [String]
    /// Whether nobody mixed it, since it follows from other states.
    public let isDerived: Bool
    /// `nil` if the state is not `Encodable`.
    let patch: JSONPatch?
    /// Whether there is a patch, so that the state can be followed.
    public var hasPatch: Bool { patch != nil }
  }

  /// An encoded value of a type.
  struct Value: Sendable {
    let type: String
    /// `nil` if it could not be encoded, or is secret.
    let value: ArchiveValue?
  }

  /// What it was asked to do.
  enum Content: Sendable {
    case action(Value)
    case mixer(type: String, payload: [String: Value]?)
  }

  /// Its number. Numbers grow, but for dropped operations.
  public let number: Int
  /// What it was.
  public let kind: OperationRecord.Kind
  /// The type of the action, or the name of the mixer.
  public let name: String?
  /// Where it was written, if that is known.
  public let place: OperationRecord.Place?
  /// By what it was submitted; `nil` if by nothing that the flux knew of.
  public let cause: OperationRecord.Cause?
  /// When it was submitted, on the clock of the recording.
  public let submitted: Duration
  /// When it began.
  public let begun: Duration
  /// When it ended.
  public let ended: Duration
  /// How it ended.
  public let outcome: OperationRecord.Outcome
  /// What it changed, by substance.
  public let changes: [Change]
  /// The owners of reactors that were told, by type; observers are not among them.
  let toldReactors: Set<String>
  /// How many observers were told.
  let toldObservers: Int
  let content: Content?

  /// The number.
  public var id: Int { number }
  /// What it was, and where, for people: `action AddItem at Cart/List.swift:12`.
  public var title: String { OperationRecord.title(kind, name: name, at: place) }
}

extension RecordedOperation: CustomStringConvertible {
  /// One line: number, what it was, how it ended, and the keys that changed.
  public var description: String {
    let keys = changes.map { "\($0.substance): \($0.keys.joined(separator: ", "))" }
    return "#\(number) \(title), \(outcome)" + (keys.isEmpty ? "" : " (\(keys.joined(separator: "; ")))")
  }
}

extension RecordedOperation {
  /// - Returns: `nil` if the line is none of an operation.
  init?(_ line: ArchiveValue) {
    guard let number = line["number"]?.int,
      let kind = line["kind"]?.string.flatMap({ OperationRecord.Kind(rawValue: $0) }),
      let outcome = OperationRecord.Outcome(recorded: line)
    else { return nil }
    self.number = number
    self.kind = kind
    self.outcome = outcome
    name = line["name"]?.string
    place = OperationRecord.Place(recorded: line["place"])
    cause = OperationRecord.Cause(recorded: line["cause"])
    submitted = .nanoseconds(line["submitted"]?.int ?? 0)
    begun = .nanoseconds(line["begun"]?.int ?? 0)
    ended = .nanoseconds(line["ended"]?.int ?? 0)
    var changes: [Change] = []
    for change in line["changes"]?.array ?? [] {
      guard let change = Change(change) else { return nil }
      changes.append(change)
    }
    self.changes = changes
    let told = line["told"]?.array ?? []
    let reactors = told.compactMap { $0["reactor"]?.string }
    toldReactors = Set(reactors)
    toldObservers = told.count - reactors.count
    if let action = line["action"] {
      content = Value(action).map { .action($0) }
    } else if let mixer = line["mixer"], let type = mixer["type"]?.string {
      content = .mixer(type: type, payload: mixer["payload"]?.object?.compactMapValues { Value($0) })
    } else {
      content = nil
    }
  }
}

extension RecordedOperation.Change {
  fileprivate init?(_ line: ArchiveValue) {
    guard let substance = line["substance"]?.int else { return nil }
    self.substance = substance
    keys = (line["keys"]?.array ?? []).compactMap(\.string)
    redactedKeys = (line["redacted"]?.array ?? []).compactMap(\.string)
    isDerived = line["isDerived"]?.bool ?? false
    patch = line["patch"].flatMap { JSONPatch($0) }
    if patch == nil, line["patch"] != nil { return nil }
  }
}

extension RecordedOperation.Value {
  fileprivate init?(_ line: ArchiveValue) {
    guard let type = line["type"]?.string else { return nil }
    self.init(type: type, value: line["value"])
  }
}

extension OperationRecord.Outcome {
  fileprivate init?(recorded line: ArchiveValue) {
    let name = line["outcome"]?.string
    let known = [Self.committed, .unchanged, .aborted, .purged, .gone].first { $0.description == name }
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
  fileprivate init?(recorded value: ArchiveValue?) {
    guard let value else { return nil }
    let place = OperationRecord.Place(recorded: value["place"])
    let owner = value["of"]?.string ?? ""
    switch value["way"]?.string {
    case "operation": way = .operation
    case "reaction": way = .reaction(of: owner)
    case "observer": way = .observer
    case "effect": way = .effect(of: owner, at: place)
    case "lock": way = .lock(at: place)
    default: return nil
    }
    operation = value["operation"]?.int
  }
}
