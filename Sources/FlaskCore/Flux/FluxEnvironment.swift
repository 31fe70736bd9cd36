/// What a flux takes from around it where nobody says otherwise: time, where tasks run, where archives are kept. It is
/// the system's, unless the flux was made with another environment, as that of a test is.
///
/// Any thread may call any of it, with no lock held.
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
  /// What time is measured on where nobody says otherwise.
  package var defaultClock: any Clock<Duration> { environment?.clock ?? ContinuousClock() }

  /// Where archives are timed where nobody says otherwise.
  package var defaultArchiveScheduler: any ArchiveScheduler {
    environment?.archiveScheduler ?? DispatchArchiveScheduler()
  }
}
