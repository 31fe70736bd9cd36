internal import FlaskCore
internal import FlaskInsight

/// What begins a feed: what is looked at, and since when.
enum HeadLine {
  /// - Parameters:
  ///   - title: what the page calls it.
  ///   - began: when, in milliseconds since 1970.
  ///   - isRecorded: whether a part of it can be saved as a recording.
  ///   - canTravel: whether the app can show the past.
  static func text(title: String, began: Int?, isRecorded: Bool = false, canTravel: Bool = false) -> String {
    var json = JSONText()
    json.object { json in
      json.member("t", "h")
      json.member("v", 1)
      json.member("m", title)
      json.member("at", began)
      if isRecorded { json.member("rec", 1) }
      if canTravel { json.member("tr", 1) }
    }
    return json.text
  }
}

/// In place of an operation that is not shown: its number is not missing.
enum LeftOutLine {
  static func text(of number: Int) -> String {
    var json = JSONText()
    json.object { json in
      json.member("t", "x")
      json.member("n", number)
    }
    return json.text
  }
}

/// A fault as the page reads it.
enum FaultLine {
  static func text(of fault: FlaskFault, at time: Int) -> String {
    var json = JSONText()
    json.object { json in
      json.member("t", "f")
      json.member("k", fault.kind.rawValue)
      json.member("m", fault.message)
      json.member("p", "\(fault.fileID):\(fault.line)")
      json.member("at", time)
    }
    return json.text
  }
}

/// The keys of a state at the beginning.
enum StateLine {
  static func text(of substance: String, keys: [OperationRecord.Key]) -> String {
    var json = JSONText()
    json.object { json in
      json.member("t", "s")
      json.member("s", substance)
      json.name("k")
      json.array { json in
        for key in keys {
          json.array { json in
            json.value(key.path)
            if key.isRedacted || key.new != nil { json.value(key.isRedacted ? nil : key.new) }
            if key.isRedacted { json.value(1) }
          }
        }
      }
    }
    return json.text
  }
}

/// What lives in a flux at a moment, and how much waits. Only the newest is kept.
struct LiveLine: Sendable {
  /// What tells it from another moment: without the ages.
  let identity: [Census.Entry.ID]
  let waiting: Int
  /// What the app shows; `nil` if it can show nothing but the present.
  let moment: AppMoment?
  let text: String

  init(_ census: Census, waiting: Int, moment: AppMoment?, at time: Int) {
    identity = census.entries.map(\.id)
    self.waiting = waiting
    self.moment = moment
    var json = JSONText()
    json.object { json in
      json.member("t", "l")
      json.member("at", time)
      json.member("q", waiting)
      moment?.write(to: &json)
      json.name("l")
      json.array { json in
        for entry in census.entries {
          json.array { json in
            json.value(entry.kind.rawValue)
            json.value(entry.name)
            json.value(entry.place?.description)
            json.value(entry.age.wholeNanoseconds)
            json.value(entry.holder)
          }
        }
      }
    }
    text = json.text
  }

  func isSame(as other: LiveLine) -> Bool {
    identity == other.identity && waiting == other.waiting && moment == other.moment
  }
}
