internal import FlaskArchive
internal import FlaskInsight

/// Makes lines for the page of those of a recording, and follows the states on the way.
struct RecordingReading {
  private struct Subject {
    var name: String
    /// The first state that is known.
    let initial: ArchiveValue?
    var state: ArchiveValue?
    /// The keys that changed and have no keys below them. An object may be a dictionary, which is one of these.
    var leaves: Set<String> = []
  }

  /// As long as a value may be: what a trace keeps, too.
  private static let valueLimit = 400

  private var subjects: [Int: Subject] = [:]
  private let labels = SubstanceLabels()
  private(set) var head: [String] = []
  private(set) var lines: [String] = []

  init(_ file: Recording, title: String) {
    head = [PageLine.text(HeadLine(title: title, began: nil, isRecorded: true))]
    // One for each of their lines.
    var operations = file.operations.makeIterator()
    for line in file.lines ?? [] { read(line, &operations) }
    for subject in subjects.sorted(by: { $0.key < $1.key }).map(\.value) {
      guard case .object(let members) = subject.initial else { continue }
      head.append(PageLine.text(RecordingReading.stateLine(subject, members)))
    }
    if file.isBeginningMissing {
      note("beginningMissing", "What came before is gone: the recording was kept within a limit.")
    }
    if let damage = file.damage {
      note("damaged", "The recording ends here: \(damage).")
    } else if !file.isComplete {
      note("notStopped", "The recording was not stopped, or it still goes on.")
    }
  }

  private mutating func read(_ line: ArchiveValue, _ operations: inout IndexingIterator<[OperationRecord]>) {
    switch line["line"]?.string {
    case "substance":
      guard let number = line["substance"]?.int else { return }
      let name = labels.label(of: number, named: line["name"]?.string ?? "substance \(number)")
      if subjects[number] == nil {
        subjects[number] = Subject(name: name, initial: line["state"])
      }
      subjects[number]?.state = line["state"]
    case "operation": if let record = operations.next() { read(record, of: line) }
    case "gap":
      let (first, last) = (line["first"]?.int ?? 0, line["last"]?.int ?? 0)
      note("gap", "The operations #\(first) to #\(last) were not recorded.")
    default: break
    }
  }

  private mutating func note(_ kind: String, _ message: String) {
    lines.append(PageLine.text(FaultLine(k: kind, m: message, p: "recording")))
  }

  private static func stateLine(_ subject: Subject, _ members: [String: ArchiveValue]) -> StateLine {
    let leaves = leaves(members, "", subject.leaves).sorted { $0.path < $1.path }
    return StateLine(
      of: subject.name,
      values: leaves.map { ($0.path, $0.value.text(limit: valueLimit), false) }
    )
  }

  /// The members that are no objects, or keys without keys below them, by their path.
  private static func leaves(_ members: [String: ArchiveValue], _ parent: String, _ known: Set<String>)
    -> [(path: String, value: ArchiveValue)]
  {
    members.flatMap { name, value -> [(path: String, value: ArchiveValue)] in
      let path = parent + name
      if case .object(let below) = value, !below.isEmpty, !known.contains(path) {
        return leaves(below, "\(path).", known)
      }
      return [(path, value)]
    }
  }

  // MARK: Operations

  private mutating func read(_ record: OperationRecord, of line: ArchiveValue) {
    let action = line["action"]?["value"]?.text(limit: 4_000)
    var changes = (line["changes"]?.array ?? []).makeIterator()
    var following = self
    let operation = OperationLine(
      record,
      label: { number, name in following.subjects[number]?.name ?? name },
      action: action,
      keys: { following.follow($0, by: changes.next() ?? .null) }
    )
    self = following
    lines.append(PageLine.text(operation))
  }

  /// Changes the state of a substance as a change says, and gives the keys with their values before and after.
  private mutating func follow(_ change: OperationRecord.Change, by line: ArchiveValue) -> [PageKey] {
    let before = subjects[change.number]?.state
    let after = before?.changed(by: line)
    subjects[change.number]?.state = after
    let leaves = change.keys.map(\.path).filter { key in
      !change.keys.contains { $0.path.hasPrefix("\(key).") }
    }
    subjects[change.number]?.leaves.formUnion(leaves)
    return change.keys.map { key in
      if key.isRedacted { return PageKey(key) }
      let isLeaf = leaves.contains(key.path)
      return PageKey(
        path: key.path,
        old: key.old ?? RecordingReading.text(of: key.path, isLeaf: isLeaf, in: before),
        new: key.new ?? RecordingReading.text(of: key.path, isLeaf: isLeaf, in: after)
      )
    }
  }

  private static func text(of key: String, isLeaf: Bool, in state: ArchiveValue?) -> String? {
    switch state?.value(at: key.split(separator: ".").map(String.init)) {
    // Keys below it have the values.
    case .object? where !isLeaf: nil
    // An optional that is `nil` is not there.
    case nil: state == nil ? nil : "nil"
    case let value?: value.text(limit: valueLimit)
    }
  }
}
