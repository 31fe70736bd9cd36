/// A registration for the change reports of a backend. Its release ends the reports.
public final class ArchiveObservation: Sendable {
  private let end: @Sendable () -> Void

  /// Makes an observation.
  ///
  /// - Parameter end: called once, when the observation is released.
  public init(end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }
}
