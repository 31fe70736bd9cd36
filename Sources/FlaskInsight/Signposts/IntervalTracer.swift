internal import FlaskPrimitives

/// A tool that shows the beginning and the end of intervals.
protocol IntervalMarks: Sendable {
  associatedtype Interval

  /// Whether intervals are being recorded.
  var isEnabled: Bool { get }
  func begin(_ title: String) -> Interval
  func end(_ interval: Interval, _ outcome: String)
}

/// Marks the beginning and the end of each operation of a flux, on the thread that performs it.
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
    // A queued operation that was dropped, and an operation that began before the tracer was added, have no interval.
    let number = operation.number
    let begun = present.withLock { $0?.number == number ? $0.take() : nil }
    guard let begun else { return }
    marks.end(begun.interval, OperationRecord.Outcome(operation.outcome, rules).description)
  }
}
