public import CoreMetrics
public import FlaskCore
internal import FlaskInsight
internal import Following

/// Counts and measures the operations of a flux with swift-metrics.
///
/// - `flask_operations`, a counter: with the dimensions `kind` and `outcome`;
/// - `flask_operation_duration` and `flask_operation_waiting`, timers: with `kind` and, of actions and mixers, `name`;
/// - `flask_notification_duration`, a timer: how long reactors took, with `reactor`;
/// - `flask_queue`, a gauge: how many operations waited after each one.
///
/// Begins when it is made, ends with `stop()` or when it is released. It measures in a task of its own, after the
/// operation. Dimensions are names in the code, never values of a state, so there are as many as the code has.
public final class OperationMetrics: Sendable {
  private let follower: FluxFollower

  /// - Parameters:
  ///   - flux: whose operations; `nil` for the current flux.
  ///   - factory: where the metrics are made.
  public init(of flux: Flux? = nil, factory: any MetricsFactory = MetricsSystem.factory) {
    let flux = flux ?? Flux.current
    let meters = Meters(factory)
    follower = FluxFollower(flux, values: .none, redacting: []) { record in
      await meters.count(record, waiting: flux.waitingCount)
    }
  }

  /// Ends measuring. Idempotent.
  public func stop() { follower.stop() }
}

/// The metrics, each made once.
private actor Meters {
  private let factory: any MetricsFactory
  private let queue: Gauge
  private var counters: [[String]: Counter] = [:]
  private var timers: [[String]: CoreMetrics.Timer] = [:]

  init(_ factory: any MetricsFactory) {
    self.factory = factory
    queue = Gauge(label: "flask_queue", dimensions: [], factory: factory)
  }

  func count(_ record: OperationRecord, waiting: Int) {
    queue.record(waiting)
    let kind = ("kind", "\(record.kind)")
    var outcome = "\(record.outcome)"
    if case .failed = record.outcome { outcome = "failed" }
    counter("flask_operations", [kind, ("outcome", outcome)]).increment()
    // Only these names come from the code. That of a step of a history may be made of what a user has written.
    let isNamed = record.kind == .action || record.kind == .mixer
    let dimensions = [kind] + (isNamed ? record.name.map { [("name", $0)] } ?? [] : [])
    timer("flask_operation_duration", dimensions).recordNanoseconds(record.duration.nanoseconds)
    timer("flask_operation_waiting", dimensions).recordNanoseconds(record.waited.nanoseconds)
    for notification in record.notifications where !notification.isLater {
      guard let owner = notification.reactorOf else { continue }
      timer("flask_notification_duration", [("reactor", owner)])
        .recordNanoseconds(notification.duration.nanoseconds)
    }
  }

  private func counter(_ label: String, _ dimensions: [(String, String)]) -> Counter {
    let key = [label] + dimensions.flatMap { [$0.0, $0.1] }
    if let known = counters[key] { return known }
    let new = Counter(label: label, dimensions: dimensions, factory: factory)
    counters[key] = new
    return new
  }

  private func timer(_ label: String, _ dimensions: [(String, String)]) -> CoreMetrics.Timer {
    let key = [label] + dimensions.flatMap { [$0.0, $0.1] }
    if let known = timers[key] { return known }
    let new = CoreMetrics.Timer(label: label, dimensions: dimensions, factory: factory)
    timers[key] = new
    return new
  }
}

extension Duration {
  fileprivate var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, isTooLarge) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return isTooLarge ? .max : whole &+ attoseconds / 1_000_000_000
  }
}
