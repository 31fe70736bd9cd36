/// The clock, the executor and the archive that a flux uses by default: the system's, unless the flux was made with an
/// environment, as that of a test is.
///
/// Every member may be called on any thread, with no lock held.
package protocol FluxEnvironment: AnyObject, Sendable {
  /// For the paces of effects and the timeouts of locks.
  var clock: any Clock<Duration> { get }
  /// Where effects and timers run.
  var executor: any TaskExecutor { get }
  /// Where substances are archived that were not given a backend.
  var archive: any ArchivePlace { get }
  /// The clock and the timer of archives.
  var archiveScheduler: any ArchiveScheduler { get }
}

extension Flux {
  /// The clock of timeouts and paces by default.
  package var defaultClock: any Clock<Duration> { environment?.clock ?? ContinuousClock() }

  /// The default clock of archives.
  package var defaultArchiveScheduler: any ArchiveScheduler {
    environment?.archiveScheduler ?? DispatchArchiveScheduler()
  }
}
