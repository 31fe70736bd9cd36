internal import FlaskPrimitives
internal import Dispatch

/// Runs the effects of a test on the thread of the test, on request, one job at a time, in the chosen order.
///
/// So no effect runs by itself. When no job is left, every effect waits for a clock, for the test, or for something
/// outside of both.
final class TestExecutor: TaskExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    /// The name of the job that is being run.
    var current: String?
    var isOver = false
    /// Whether an endless series of jobs was found. Then no job is run any more.
    var isEndless = false
    /// The name of the endless job. It is kept until it has been reported.
    var endless: String?
  }

  /// A series of jobs counts as endless if this number of jobs have run without a pause.
  private static let limit = 1_000_000

  private let state = Lock(State())
  private let choices: OrderChoices

  init(_ choices: OrderChoices) { self.choices = choices }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isOver = state.withLock { state in
      if !state.isOver { state.jobs.append(job) }
      return state.isOver
    }
    // A task that outlives its test continues on a global queue.
    if isOver { DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) } }
  }

  /// Whether any job is ready.
  var isReady: Bool { state.withLock { !$0.jobs.isEmpty && !$0.isEndless } }

  /// Whether jobs were endless.
  var isEndless: Bool { state.withLock { $0.isEndless } }

  /// Returns the name of the effect, or else of the task, that ran without end, and removes it, so that it is reported
  /// once.
  func takeEndless() -> String? {
    state.withLock { $0.endless.take() }.map { choices.name(of: $0) ?? "a task of an effect" }
  }

  /// Runs jobs until none is ready, or until the series of jobs counts as endless: then no job is run any more.
  ///
  /// - Parameter isLast: whether jobs are run even after an endless series, since all of them were cancelled.
  func drain(isLast: Bool = false) {
    if isEndless && !isLast { return }
    for _ in 0..<TestExecutor.limit {
      let count = state.withLock { $0.jobs.count }
      if count == 0 { return }
      let index = choices.pick(of: count)
      let taken = state.withLock { state -> (job: UnownedJob, name: String, outer: String?)? in
        guard index < state.jobs.count else { return nil }
        let job = state.jobs.remove(at: index)
        let outer = state.current
        state.current = job.description
        return (job, job.description, outer)
      }
      guard let taken else { continue }
      choices.record(.job(taken.name), of: count)
      taken.job.runSynchronously(on: asUnownedTaskExecutor())
      state.withLock { $0.current = taken.outer }
    }
    state.withLock { state in
      if !state.isEndless { state.endless = state.jobs.last?.description }
      state.isEndless = true
    }
  }

  /// The running job belongs to an effect.
  func nameCurrent(_ name: String) {
    if let job = state.withLock({ $0.current }) { choices.name(job, name) }
  }

  /// Leaves further jobs to the system.
  func end() {
    let jobs = state.withLock { state in
      state.isOver = true
      defer { state.jobs = [] }
      return state.jobs
    }
    for job in jobs {
      DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }
}
