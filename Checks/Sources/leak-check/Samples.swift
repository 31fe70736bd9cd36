import Flask
import Foundation

/// A state with something on the heap in every place where a state can have it.
struct Item: State {
  struct Info: Codable, Sendable { var notes = ["a note that is too long to be stored inline"] }

  enum prop: StateProp { case count, text, rows, table }

  var count = 0
  var text = "a text that is too long to be stored inline"
  var rows = [1, 2, 3]
  var info: Info? = Info()
  var table = ["one": 1]
  var _cache = [0]
}

/// Changes a bit of everything.
@Sendable func change(_ substance: Substance<Item>) {
  substance.prop.count += 1
  substance.prop.text = "\(substance.prop.count), and a text that is too long to be stored inline"
  substance.prop.rows[0] += 1
  let count = substance.prop.count
  substance.prop.info?.notes = ["\(count), and a text that is too long to be stored inline"]
  substance.prop.table["key \(count % 3)"] = count
  substance.prop._cache = [count]
}

enum Signal: SubstanceMixer { case step, stop, fail }

struct Step: FluxAction { var text = "a text that is too long to be stored inline" }
struct Done: FluxAction { let step: Step }
struct Failure: Error { let step: Step }

final class Reactive: ReactiveSubstance<Item, Signal>, @unchecked Sendable {
  override func defineMixers() {
    define(mix: .step) { payload, react, abort in
      self.prop.count += payload?["by"] as? Int ?? 1
      react()
    }
    define(mix: .stop) { _, _, abort in
      self.prop.text = "dropped"
      abort()
    }
    define(mix: .fail) { _, _, _ in throw Failure(step: Step()) }
    define(mix: Step.self) { action in self.prop.text = action.text + "!" }
  }
}

final class Store: FluxStore<Item>, @unchecked Sendable {
  init(name: String? = nil, archivedIn backend: MemoryArchive? = nil) {
    super.init(initialState: Item(), name: name)
    registerReducer(for: Step.self) { state, action in
      state.count += 1
      state.text = action.text
      return [\Item.count, \Item.text]
    }
    registerReducer(for: Done.self) { state, action in state.rows.append(state.rows.count) }
    if let backend { archive(in: backend, scheduler: ManualArchiveScheduler()) }
  }
}

final class Middleware: FluxMiddleware, @unchecked Sendable {
  let handled = Counter()

  init(
    policy: FluxEffectPolicy = .concurrent,
    pace: FluxEffectPace = .immediate,
    clock: any Clock<Duration> = ContinuousClock(),
    isThrowing: Bool = false
  ) {
    super.init()
    registerHandler(for: Step.self) { [unowned self] _ in handled.add() }
    registerComposer(for: Step.self) { .next($0) }
    registerEffect(for: Step.self, id: "step", policy: policy, pace: pace, clock: clock) { action, dispatch in
      if isThrowing { throw Failure(step: action) }
      dispatch(Done(step: action))
    }
    registerErrorHandler { [unowned self] _, _, _ in handled.add() }
  }
}

/// A worker that wraps nothing and does nothing.
final class Worker: FluxWorker {
  func handle(_ action: any FluxAction, in pass: borrowing FluxPass) -> FluxNextAction { .next() }
}

/// An archived substance whose timer never runs by itself.
final class Archived: Substance<Item>, @unchecked Sendable {
  override func archiveScheduler() -> any ArchiveScheduler { ManualArchiveScheduler() }
}

// MARK: Owners

/// An owner without isolation.
final class Owner: FlaskReactor, Sendable {
  let heard = Counter()
  func flaskReactions(reaction: FlaskReaction) { heard.add() }
}

@MainActor final class MainOwner: @MainActor FlaskReactor {
  var heard = 0
  func flaskReactions(reaction: FlaskReaction) { heard += 1 }
}

actor ActorOwner: FlaskReactorActor {
  var heard = 0
  func flaskReactions(reaction: FlaskReaction) { heard += 1 }

  /// A reactor of one's own with a handler, whose reactions wait for this actor if they come from elsewhere. The
  /// handler is held for as long as the owner lives, so it must not hold the owner.
  func attach(to substance: AnySubstance) {
    Flask.reactor(attachedTo: self, mixing: substance) { owner, _ in owner.assumeIsolated { $0.heard += 1 } }
  }
}

/// A number that may be counted from anywhere.
final class Counter: @unchecked Sendable {
  // Guarded by `lock`.
  private var count = 0
  private let lock = NSLock()

  var value: Int { lock.withLock { count } }
  func add() { lock.withLock { count += 1 } }
}

/// Runs `body` with a flux of its own as the current one.
func withOwnFlux<Result>(_ body: () -> Result) -> Result {
  Flux.$current.withValue(Flux(), operation: body)
}

func withOwnFlux<Result>(_ body: () async -> Result) async -> Result {
  await Flux.$current.withValue(Flux(), operation: body)
}

/// A clock on which nobody sleeps to the end, and that keeps nothing of a sleep that is cancelled. The system's clocks
/// keep their timer until it is due.
struct EndlessClock: Clock {
  var now: ContinuousClock.Instant { .now }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
    for await _ in stream {}
    withExtendedLifetime(continuation) {}
    throw CancellationError()
  }
}
