internal import FlaskPrimitives
internal import Synchronization

/// The effect that the running task performs. Child tasks inherit the value.
struct RunningEffect: Sendable {
  @TaskLocal static var current: RunningEffect?

  let run: EffectRun
  let engine: EffectEngine
  private let task = RunningTask()

  init(_ run: EffectRun, by engine: EffectEngine) {
    self.run = run
    self.engine = engine
  }

  /// The effect whose own task is running. It is `nil` in a task that the effect has started: the effect may end while
  /// such a task waits.
  static var here: RunningEffect? { current.flatMap { $0.task.isCurrent ? $0 : nil } }
}

/// The wait of an effect for the end of an action that the effect has dispatched.
final class EffectWait: Sendable {
  let run: EffectRun
  let tracker: ActionTracker
  private let ticket = WaitingTasks.Ticket()
  private let isRefused = Atomic<Bool>(false)

  init(of run: EffectRun, for tracker: ActionTracker) {
    self.run = run
    self.tracker = tracker
  }

  func begin() async { await tracker.finished(ticket) }

  /// Ends the wait, which would never end, and reports it once.
  func refuse() {
    if isRefused.exchange(true, ordering: .relaxed) { return }
    run.reportWait()
    tracker.end(ticket)
  }
}

extension EffectEngine {
  /// Waits in the task of an effect until the work that `tracker` counts has ended. A wait that would never end is
  /// ended with a fault: if the work includes the effect itself, or includes an effect that is queued behind it.
  func wait(for tracker: ActionTracker, by run: EffectRun) async {
    if run.tracker.counts(in: tracker) { return run.reportWait() }
    let wait = EffectWait(of: run, for: tracker)
    add(wait)
    endBlockedWaits(in: run.group)
    await wait.begin()
    forget(wait)
  }

  /// Ends the waits of effects of a group for work that waits, itself, for the waiting effects.
  func endBlockedWaits(in group: EffectTable.Group) {
    for (wait, queued) in waits(in: group) {
      if queued.contains(where: { $0.tracker.counts(in: wait.tracker) }) { wait.refuse() }
    }
  }
}
