internal import FlaskInsight

/// An operation as the page reads it, be it of a living flux or of a recording. `docs/internals/inspector.md` lists the
/// members.
struct OperationLine: Encodable {
  fileprivate struct Cause: Encodable {
    var n: Int?
    let w: String
    var o: String?
    var p: String?
  }

  private struct Change: Encodable {
    let s: String
    let v: Int?
    let k: [PageKey]
  }

  private let t = "o"
  private let n: Int
  private let k: String
  private let m: String?
  private let p: String?
  private let c: Cause?
  private let s: Int
  private let b: Int
  private let e: Int
  private let i: String?
  private let r: String
  private let x: String?
  private let d: [Change]?
  private let w: [PageList]?
  private let a: String?

  /// - Parameters:
  ///   - label: what the page calls a substance, by its number and its name.
  ///   - action: the action, as text.
  ///   - keys: the keys that changed in one substance.
  init(
    _ record: OperationRecord,
    label: (_ number: Int, _ name: String) -> String,
    action: String? = nil,
    keys: (OperationRecord.Change) -> [PageKey]
  ) {
    n = record.number
    k = record.kind.rawValue
    m = record.name
    p = record.place?.description
    c = record.cause.map { Cause($0) }
    s = record.submitted.wholeNanoseconds
    b = record.begun.wholeNanoseconds
    e = record.ended.wholeNanoseconds
    i = ["mainActor": "the main actor", "actor": "an actor"][record.isolation.rawValue]
    if case .failed(let error) = record.outcome {
      (r, x) = ("failed", error)
    } else {
      (r, x) = (record.outcome.description, nil)
    }
    let changes = record.changes.map { change in
      Change(s: label(change.number, change.substance), v: change.isDerived ? 1 : nil, k: keys(change))
    }
    d = changes.isEmpty ? nil : changes
    let told = record.notifications.map { notification in
      var list = PageList()
      list.add(notification.reactorOf)
      list.add(notification.number.map { label($0, notification.substance) } ?? notification.substance)
      list.add(notification.key)
      list.add(notification.duration.wholeNanoseconds)
      list.add(notification.isLater ? 1 : 0)
      return list
    }
    w = told.isEmpty ? nil : told
    a = action
  }
}

extension OperationLine.Cause {
  fileprivate init(_ cause: OperationRecord.Cause) {
    n = cause.operation
    switch cause.kind {
    case .operation: w = "operation"
    case .observer: w = "observer"
    case .reaction(let owner): (w, o) = ("reaction", owner)
    case .effect(let middleware, let place): (w, o, p) = ("effect", middleware, place?.description)
    case .lock(let place): (w, p) = ("lock", place?.description)
    @unknown default: w = "\(cause.kind)"
    }
  }
}

extension PageKey {
  /// A key with the values that its record has.
  init(_ key: OperationRecord.Key) {
    self.init(path: key.path, old: key.old, new: key.new, isRedacted: key.isRedacted)
  }
}

extension Duration {
  /// In nanoseconds. What a page counts with is exact up to 104 days.
  var wholeNanoseconds: Int {
    let (seconds, attoseconds) = components
    let (whole, isTooLarge) = Int(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    return isTooLarge ? Int.max : whole &+ Int(attoseconds / 1_000_000_000)
  }
}
