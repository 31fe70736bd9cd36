internal import FlaskPrimitives

/// The environment of a test's flux: clock, executor, archive, and the actions that effects have dispatched.
final class TestEnvironment: EffectEnvironment {
  private struct State {
    var held: [PendingAction] = []
    /// The effects whose closures are running, each by a number that identifies the run.
    var running: [Int: EffectContext] = [:]
    var last = 0
    var isOver = false
    var isReplaying = false
  }

  /// The number of the effect to which the running task belongs.
  @TaskLocal private static var effect: Int?

  let testClock = TestClock()
  let testExecutor: TestExecutor
  let memory = MemoryArchive()
  private let choices: OrderChoices
  private let state = Lock(State())

  init(_ choices: OrderChoices) {
    self.choices = choices
    testExecutor = TestExecutor(choices)
  }

  var clock: any Clock<Duration> { testClock }
  var executor: any TaskExecutor { testExecutor }
  var archive: any ArchivePlace { memory }
  var archiveScheduler: any ArchiveScheduler { TestArchiveScheduler(clock: testClock) }

  static var tagHere: Int? { effect }

  /// True if effects do not run, since their actions come from a recording.
  var isReplaying: Bool { state.withLock { $0.isReplaying } }
  func beginReplay() { state.withLock { $0.isReplaying = true } }

  func perform(_ effect: EffectContext, _ body: @Sendable () async -> Void) async {
    if isReplaying { return }
    testExecutor.nameCurrent(effect.title)
    let number = state.withLock { state in
      state.last += 1
      state.running[state.last] = effect
      return state.last
    }
    await TestEnvironment.$effect.withValue(number, operation: body)
    state.withLock { state in state.running[number] = nil }
  }

  func hold(_ action: PendingAction) {
    let isOver = state.withLock { state in
      if !state.isOver { state.held.append(action) }
      return state.isOver
    }
    if isOver { action.submit(nil) }
  }

  /// The actions that effects have dispatched and the test has not received, oldest first. Actions of cancelled effects
  /// are removed and not returned.
  var held: [PendingAction] {
    let all = state.withLock { $0.held }
    let cancelled = all.filter { $0.isCancelled() }
    if !cancelled.isEmpty {
      let dropped = state.withLock { state in
        let dropped = state.held.filter { $0.isCancelled() }
        state.held.removeAll { $0.isCancelled() }
        return dropped
      }
      for action in dropped { action.submit(nil) }
    }
    return all.filter { !$0.isCancelled() }
  }

  /// Removes and returns a held action for which `isMeant` returns true. If there are several, the test's `TestOrder`
  /// decides which one. The result is `nil` if there is none.
  func take(_ isMeant: (any Sendable) -> Bool) -> PendingAction? {
    _ = held
    let indices = state.withLock { $0.held }.enumerated().filter { isMeant($0.element.action) }.map(\.offset)
    if indices.isEmpty { return nil }
    let index = indices[choices.pick(of: indices.count)]
    let taken = state.withLock { $0.held.indices.contains(index) ? $0.held.remove(at: index) : nil }
    if let taken { choices.record(.action(ValueDifference.text(taken.action)), of: indices.count) }
    return taken
  }

  /// The effects whose closures wait for something other than the clock.
  var waitingOutside: [EffectContext] {
    let asleep = Set(testClock.sleepingTags)
    return state.withLock { $0.running.filter { !asleep.contains($0.key) } }
      .sorted { $0.key < $1.key }.map(\.value)
  }

  /// Removes and returns all held actions. No action is held from now on.
  func end() -> [PendingAction] {
    state.withLock { state in
      state.isOver = true
      defer { state.held = [] }
      return state.held
    }
  }
}

extension EffectContext {
  /// For people.
  var title: String {
    "the \(name)" + (place.fileID.map { " at \($0):\(place.line)" } ?? "")
  }
}
