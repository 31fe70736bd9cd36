internal import FlaskInsight

/// An operation as the page reads it. `docs/internals/inspector.md` lists the members.
enum OperationLine {
  static func text(of record: OperationRecord, _ labels: SubstanceLabels) -> String {
    var json = JSONText()
    json.object { json in
      json.member("t", "o")
      json.member("n", record.number)
      json.member("k", "\(record.kind)")
      json.member("m", record.name)
      json.member("p", record.place?.description)
      if let cause = record.cause {
        json.name("c")
        write(cause, to: &json)
      }
      json.member("s", record.submitted.wholeNanoseconds)
      json.member("b", record.begun.wholeNanoseconds)
      json.member("e", record.ended.wholeNanoseconds)
      json.member("i", isolation(record.isolation))
      json.member("r", outcome(record.outcome))
      if case .failed(let error) = record.outcome { json.member("x", error) }
      if !record.changes.isEmpty {
        json.name("d")
        json.array { json in for change in record.changes { write(change, labels, to: &json) } }
      }
      if !record.told.isEmpty {
        json.name("w")
        json.array { json in for telling in record.told { write(telling, labels, to: &json) } }
      }
    }
    return json.text
  }

  private static func write(_ cause: OperationRecord.Cause, to json: inout JSONText) {
    json.object { json in
      json.member("n", cause.operation)
      switch cause.way {
      case .operation: json.member("w", "operation")
      case .observer: json.member("w", "observer")
      case .reaction(let owner):
        json.member("w", "reaction")
        json.member("o", owner)
      case .effect(let middleware, let place):
        json.member("w", "effect")
        json.member("o", middleware)
        json.member("p", place?.description)
      case .lock(let place):
        json.member("w", "lock")
        json.member("p", place?.description)
      }
    }
  }

  private static func write(
    _ change: OperationRecord.Change,
    _ labels: SubstanceLabels,
    to json: inout JSONText
  ) {
    json.object { json in
      json.member("s", labels.label(of: change.number, named: change.substance))
      if change.isDerived { json.member("v", 1) }
      json.name("k")
      json.array { json in
        for key in change.keys {
          json.array { json in
            json.value(key.path)
            if key.isRedacted {
              json.value(nil)
              json.value(nil)
              json.value(1)
            } else if key.old != nil || key.new != nil {
              json.value(key.old)
              json.value(key.new)
            }
          }
        }
      }
    }
  }

  private static func write(
    _ telling: OperationRecord.Telling,
    _ labels: SubstanceLabels,
    to json: inout JSONText
  ) {
    json.array { json in
      json.value(telling.reactorOf)
      json.value(
        telling.number.map { labels.label(of: $0, named: telling.substance) } ?? telling.substance
      )
      json.value(telling.key)
      json.value(telling.duration.wholeNanoseconds)
      json.value(telling.isLater ? 1 : 0)
    }
  }

  private static func isolation(_ isolation: OperationRecord.Isolation) -> String? {
    switch isolation {
    case .nonisolated: nil
    case .mainActor: "the main actor"
    case .actor: "an actor"
    }
  }

  private static func outcome(_ outcome: OperationRecord.Outcome) -> String {
    if case .failed = outcome { return "failed" }
    return "\(outcome)"
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
