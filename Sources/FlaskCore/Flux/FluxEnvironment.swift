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
  /// Performs an effect, in its task.
  func perform(_ effect: EffectContext, _ body: @Sendable () async -> Void) async
  /// An effect has dispatched an action, which waits until somebody performs it.
  func hold(_ action: PendingAction)
}

/// An effect as its environment sees it.
package struct EffectContext: Sendable {
  /// The type of its action.
  package let action: Any.Type
  /// Who registered it, and where.
  package let holder: Any.Type
  package let place: SourcePlace

  package init(action: Any.Type, holder: Any.Type, place: SourcePlace) {
    self.action = action
    self.holder = holder
    self.place = place
  }
}

/// An action that an effect has dispatched, and that has not been submitted.
package struct PendingAction: Sendable {
  package let action: any Sendable
  package let effect: EffectContext
  /// Whether the effect was cancelled: performed, the action comes to nothing then.
  package let isCancelled: @Sendable () -> Bool
  /// Submits it. To be called once.
  package let submit: @Sendable ((any Actor)?) -> Void

  package init(
    action: any Sendable,
    effect: EffectContext,
    isCancelled: @escaping @Sendable () -> Bool,
    submit: @escaping @Sendable ((any Actor)?) -> Void
  ) {
    self.action = action
    self.effect = effect
    self.isCancelled = isCancelled
    self.submit = submit
  }
}

extension Flux {
  /// What time is measured on where nobody says otherwise.
  package var defaultClock: any Clock<Duration> { environment?.clock ?? ContinuousClock() }

  /// Where archives are timed where nobody says otherwise.
  package var defaultArchiveScheduler: any ArchiveScheduler {
    environment?.archiveScheduler ?? DispatchArchiveScheduler()
  }
}
