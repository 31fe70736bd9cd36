internal import FlaskCore
internal import FlaskInsight

/// What begins a feed: what is looked at, and since when.
struct HeadLine: Encodable {
  private let t = "h"
  private let v = 1
  private let m: String
  private let at: Int?
  private let rec: Int?
  private let tr: Int?

  /// - Parameters:
  ///   - title: what the page calls it.
  ///   - began: when, in milliseconds since 1970.
  ///   - isRecorded: whether a part of it can be saved as a recording.
  ///   - canTravel: whether the app can show the past.
  init(title: String, began: Int?, isRecorded: Bool = false, canTravel: Bool = false) {
    (m, at, rec, tr) = (title, began, isRecorded ? 1 : nil, canTravel ? 1 : nil)
  }
}

/// In place of an operation that is not shown: its number is not missing.
struct LeftOutLine: Encodable {
  private let t = "x"
  let n: Int
}

/// A fault as the page reads it, or what else there is to say.
struct FaultLine: Encodable {
  private let t = "f"
  let k: String
  let m: String
  let p: String
  var at: Int?
}

extension FaultLine {
  init(_ fault: FlaskFault, at time: Int) {
    self.init(k: fault.kind.rawValue, m: fault.message, p: "\(fault.fileID):\(fault.line)", at: time)
  }
}

/// The keys of a state at the beginning: `[path]`, `[path, value]`, or `[path, null, 1]` for a secret.
struct StateLine: Encodable {
  private let t = "s"
  private let s: String
  private let k: [PageList]

  init(of substance: String, keys: [OperationRecord.Key]) {
    self.init(of: substance, values: keys.map { ($0.path, $0.new, $0.isRedacted) })
  }

  init(of substance: String, values: [(path: String, value: String?, isRedacted: Bool)]) {
    s = substance
    k = values.map { path, value, isRedacted in
      var list = PageList()
      list.add(path)
      if isRedacted || value != nil { list.add(isRedacted ? nil : value) }
      if isRedacted { list.add(1) }
      return list
    }
  }
}

/// What lives in a flux at a moment, and how much waits. Only the newest is kept.
struct LiveLine: Encodable, Sendable {
  private let t = "l"
  private let at: Int
  private let q: Int
  private let n: Int?
  private let v: Int?
  private let l: [PageList]
  /// What tells it from another moment: without the ages.
  private let identity: [LiveObjects.Entry.ID]

  private enum CodingKeys: CodingKey { case t, at, q, n, v, l }

  /// - Parameter moment: what the app shows; `nil` if it can show nothing but the present.
  init(_ objects: LiveObjects, waiting: Int, moment: AppMoment?, at time: Int) {
    (at, q, n, v) = (time, waiting, moment?.number, moment?.version)
    identity = objects.entries.map(\.id)
    l = objects.entries.map { entry in
      var list = PageList()
      list.add(entry.kind.rawValue)
      list.add(entry.name)
      list.add(entry.place?.description)
      list.add(entry.age.wholeNanoseconds)
      list.add(entry.holder)
      return list
    }
  }

  func isSame(as other: LiveLine) -> Bool {
    identity == other.identity && (q, n, v) == (other.q, other.n, other.v)
  }
}
