/// When a connection is tried again: after a tenth of a second, and then after up to two seconds. Jitter keeps many
/// processes from coming at once.
struct PostgresBackoff: Sendable {
  private var failures = 0
  private var next = 0.0
  /// The reason of the last failure.
  private(set) var reason = ""

  /// The seconds until an attempt may be made; 0 at once.
  func delay(at time: Double) -> Double { failures == 0 ? 0 : max(0, next - time) }

  mutating func didSucceed() { failures = 0 }

  mutating func didFail(_ reason: String, at time: Double, jitter: Double = .random(in: 0.5...1)) {
    failures += 1
    self.reason = reason
    next = time + min(2, 0.1 * Double(1 << min(failures, 6))) * jitter
  }
}
