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
    head = [HeadLine.text(title: title, began: nil, isRecorded: true)]
    for line in file.lines ?? [] { read(line) }
    for subject in subjects.sorted(by: { $0.key < $1.key }).map(\.value) {
      guard case .object(let members) = subject.initial else { continue }
      head.append(RecordingReading.stateLine(subject, members))
    }
    if file.isBeginningMissing {
      lines.append(
        notice("beginningMissing", "What came before is gone: the recording was kept within a limit.")
      )
    }
    if let damage = file.damage {
      lines.append(notice("damaged", "The recording ends here: \(damage)."))
    } else if !file.isComplete {
      lines.append(notice("notStopped", "The recording was not stopped, or it still goes on."))
    }
  }

  private mutating func read(_ line: ArchiveValue) {
    switch line["line"]?.string {
    case "substance":
      guard let number = line["substance"]?.int else { return }
      let name = labels.label(of: number, named: line["name"]?.string ?? "substance \(number)")
      if subjects[number] == nil {
        subjects[number] = Subject(name: name, initial: line["state"])
      }
      subjects[number]?.state = line["state"]
    case "operation": lines.append(operation(line))
    case "gap":
      let (first, last) = (line["first"]?.int ?? 0, line["last"]?.int ?? 0)
      lines.append(notice("gap", "The operations #\(first) to #\(last) were not recorded."))
    default: break
    }
  }

  private func notice(_ kind: String, _ message: String) -> String {
    var json = JSONText()
    json.object { json in
      json.member("t", "f")
      json.member("k", kind)
      json.member("m", message)
      json.member("p", "recording")
    }
    return json.text
  }

  private static func stateLine(_ subject: Subject, _ members: [String: ArchiveValue]) -> String {
    var json = JSONText()
    json.object { json in
      json.member("t", "s")
      json.member("s", subject.name)
      json.name("k")
      json.array { json in
        for (path, value) in leaves(members, "", subject.leaves).sorted(by: { $0.path < $1.path }) {
          json.array { json in
            json.value(path)
            json.value(value.text(limit: valueLimit))
          }
        }
      }
    }
    return json.text
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

  private mutating func operation(_ line: ArchiveValue) -> String {
    var json = JSONText()
    json.object { json in
      json.member("t", "o")
      json.member("n", line["number"]?.int)
      json.member("k", line["kind"]?.string)
      json.member("m", line["name"]?.string)
      json.member("p", line["place"]?.string)
      if let cause = line["cause"] {
        json.name("c")
        json.object { json in
          json.member("n", cause["operation"]?.int)
          json.member("w", cause["way"]?.string)
          json.member("o", cause["of"]?.string)
          json.member("p", cause["place"]?.string)
        }
      }
      json.member("s", line["submitted"]?.int)
      json.member("b", line["begun"]?.int)
      json.member("e", line["ended"]?.int)
      json.member("i", ["mainActor": "the main actor", "actor": "an actor"][line["isolation"]?.string ?? ""])
      json.member("r", line["outcome"]?.string)
      json.member("x", line["error"]?.string)
      if let changes = line["changes"]?.array {
        json.name("d")
        json.array { json in for each in changes { change(each, to: &json) } }
      }
      if let told = line["told"]?.array {
        json.name("w")
        json.array { json in for each in told { telling(each, to: &json) } }
      }
      if let action = line["action"]?["value"] { json.member("a", action.text(limit: 4_000)) }
    }
    return json.text
  }

  private mutating func change(_ change: ArchiveValue, to json: inout JSONText) {
    guard let number = change["substance"]?.int else { return }
    let before = subjects[number]?.state
    let after = before?.changed(by: change)
    subjects[number]?.state = after
    let keys = change["keys"]?.array?.compactMap(\.string) ?? []
    let leaves = keys.filter { key in !keys.contains { $0.hasPrefix("\(key).") } }
    subjects[number]?.leaves.formUnion(leaves)
    json.object { json in
      json.member("s", subjects[number]?.name ?? "substance \(number)")
      if change["isDerived"]?.bool == true { json.member("v", 1) }
      json.name("k")
      json.array { json in
        for key in keys {
          write(key, isLeaf: leaves.contains(key), of: change, before, after, to: &json)
        }
      }
    }
  }

  private func write(
    _ key: String,
    isLeaf: Bool,
    of change: ArchiveValue,
    _ before: ArchiveValue?,
    _ after: ArchiveValue?,
    to json: inout JSONText
  ) {
    let isRedacted = change["redacted"]?.array?.contains(.string(key)) == true
    let path = key.split(separator: ".").map(String.init)
    let texts = change["values"]?.array?.first { $0["key"]?.string == key }
    func text(_ state: ArchiveValue?, _ name: String) -> String? {
      if let text = texts?[name]?.string { return text }
      switch state?.value(at: path) {
      // Keys below it have the values.
      case .object? where !isLeaf: return nil
      // An optional that is `nil` is not there.
      case nil: return state == nil ? nil : "nil"
      case let value?: return value.text(limit: RecordingReading.valueLimit)
      }
    }
    let (old, new) = (text(before, "old"), text(after, "new"))
    json.array { json in
      json.value(key)
      if isRedacted {
        json.value(nil)
        json.value(nil)
        json.value(1)
      } else if old != nil || new != nil {
        json.value(old)
        json.value(new)
      }
    }
  }

  private func telling(_ telling: ArchiveValue, to json: inout JSONText) {
    json.array { json in
      json.value(telling["reactor"]?.string)
      json.value(telling["substance"]?.int.flatMap { subjects[$0]?.name } ?? "")
      json.value(telling["key"]?.string)
      json.value(telling["nanoseconds"]?.int ?? 0)
      json.value(telling["isLater"]?.bool == true ? 1 : 0)
    }
  }
}
