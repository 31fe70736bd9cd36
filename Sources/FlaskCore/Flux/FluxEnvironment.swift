/// The clock, the executor and the archive that a flux uses by default. They are the system's, unless the flux was made
/// with an environment, such as that of a test.
///
/// Every member may be called on any thread. The caller holds no lock.
package protocol FluxEnvironment: AnyObject, Sendable {
  /// The clock for the delays of effects (debouncing, throttling) and for the timeouts of locks.
  var clock: any Clock<Duration> { get }
  /// Where effects and timers run.
  var executor: any TaskExecutor { get }
  /// The backend for archives of substances without a backend of their own.
  var archive: any ArchivePlace { get }
  /// The clock and the timer of archives.
  var archiveScheduler: any ArchiveScheduler { get }
}

extension Flux {
  /// The default clock for the timeouts of locks and for the delays of effects (debouncing, throttling).
  package var defaultClock: any Clock<Duration> { environment?.clock ?? ContinuousClock() }

  /// The default clock of archives.
  package var defaultArchiveScheduler: any ArchiveScheduler {
    environment?.archiveScheduler ?? DispatchArchiveScheduler()
  }
}
