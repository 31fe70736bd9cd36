internal import FlaskPrimitives

/// Something that shows when a thing began and when it ended.
protocol IntervalMarks: Sendable {
  associatedtype Interval

  /// Whether intervals are being recorded.
  var isEnabled: Bool { get }
  func begin(_ title: String) -> Interval
  func end(_ interval: Interval, _ outcome: String)
}

/// Marks where each operation of a flux begins and ends, on the thread that performs it.
final class IntervalTracer<Marks: IntervalMarks>: FluxTracer {
  private let marks: Marks
  private let rules: RedactionRules
  /// The interval of the operation in progress. A flux performs one operation at a time.
  private let present = Lock<(number: Int, interval: Marks.Interval)?>(nil)

  init(_ marks: Marks, _ rules: RedactionRules) {
    self.marks = marks
    self.rules = rules
  }

  var wantsBeginnings: Bool { true }

  func didBegin(_ operation: borrowing TracedOperation) {
    guard marks.isEnabled else { return }
    let begun = (number: operation.number, interval: marks.begin(operation.identity.title(rules)))
    present.withLock { $0 = begun }
  }

  func didEnd(_ operation: borrowing TracedOperation) {
    // An operation that was dropped while it waited, or that began before the tracer was added, has no interval.
    let number = operation.number
    let begun = present.withLock { $0?.number == number ? $0.take() : nil }
    guard let begun else { return }
    marks.end(begun.interval, OperationRecord.Outcome(operation.outcome, rules).description)
  }
}
