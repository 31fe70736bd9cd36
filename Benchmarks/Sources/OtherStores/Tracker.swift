internal import Observation

/// One observer by `withObservationTracking`, which hears one change and has to be armed again for the next.
///
/// `@unchecked Sendable`: benchmarks use it on one thread.
public final class Tracker: @unchecked Sendable {
  private let read: () -> Void
  private let onChange: () -> Void
  private var hasFired = false

  /// - Parameters:
  ///   - read: reads what is tracked.
  ///   - onChange: called before the change.
  public init(reading read: @escaping () -> Void, onChange: @escaping () -> Void) {
    self.read = read
    self.onChange = onChange
    arm()
  }

  /// Waits for the next change, if there was one since the last time.
  public func armAgain() {
    guard hasFired else { return }
    hasFired = false
    arm()
  }

  private func arm() {
    withObservationTracking(read) { [self] in
      hasFired = true
      onChange()
    }
  }
}
