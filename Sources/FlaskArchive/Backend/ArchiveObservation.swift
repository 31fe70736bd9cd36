/// The promise of a backend to report changes, until it is released.
public final class ArchiveObservation: Sendable {
  private let end: @Sendable () -> Void

  /// Makes an observation.
  ///
  /// - Parameter end: called once, when it is released.
  public init(end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }
}
