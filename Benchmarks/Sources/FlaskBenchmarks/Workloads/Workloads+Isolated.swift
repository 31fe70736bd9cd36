import BenchmarkSink
import BenchmarkStates
import Dispatch
import FlaskCore
import HandWritten
import Swift5Client

/// W10 to W12: `counter` changes, the reactor of an isolated owner fires.
extension Workloads {
  /// W10: owner and mix on the main actor, the closure captures a value, as that of the bound does.
  static func onMainActor() -> [Case] {
    [
      Case("W10", "hand", fires: 1) { sink in
        let store = HandStore10 { sink.hear($0, $1) }
        return { for step in 0..<$0 { store.mutate { $0.counter &+= step | 1 } } }
      },
      Case("W10", "reactor", fires: 1) { sink in
        let screen = MainActor.assumeIsolated { Screen(sink) }
        return { count in MainActor.assumeIsolated { screen.change(count) } }
      },
    ]
  }

  /// W11: the same, written by a client in Swift 5 mode.
  static func onMainActorInSwift5() -> [Case] {
    [
      Case("W11", "hand", fires: 1) { Swift5Client.hand($0) },
      Case("W11", "reactor", fires: 1) { Swift5Client.reactor($0) },
    ]
  }

  /// W12: owner, mix and reaction inside an actor.
  static func insideActor() -> [Case] {
    [
      Case("W12", "hand", fires: 1, runs: .onOtherThread) { sink in
        let accountant = HandAccountant(sink)
        return { count in waitFor { await accountant.change(count) } }
      },
      Case("W12", "reactor", fires: 1, runs: .onOtherThread) { sink in
        let accountant = Accountant(sink)
        waitFor { await accountant.attach() }
        return { count in waitFor { await accountant.change(count) } }
      },
    ]
  }

  /// Performs `body` in a task, and returns when it has ended.
  private static func waitFor(_ body: @escaping @Sendable () async -> Void) {
    let hasEnded = DispatchSemaphore(value: 0)
    Task.detached {
      await body()
      hasEnded.signal()
    }
    hasEnded.wait()
  }
}

/// An owner of the main actor.
@MainActor
private final class Screen: @MainActor FlaskReactor {
  private let sink: Sink
  private let substance = Flask.newSubstance(definedBy: State10.self)
  private var reactor: Reactor<Screen>?

  init(_ sink: Sink) {
    self.sink = sink
    reactor = Flask.attachReactor(to: self, mixing: substance)
  }

  func flaskReactions(reaction: FlaskReaction) {
    reaction.on(State10.prop.counter) { [sink] change in
      sink.hear(change.oldValue() ?? 0, change.newValue() ?? 0)
    }
  }

  func change(_ count: Int) {
    guard let reactor else { return }
    for step in 0..<count { reactor.mix(substance) { $0.prop.counter &+= step | 1 }.react() }
  }
}

/// An owner that is an actor.
private actor Accountant {
  private let sink: Sink
  private let substance = Flask.newSubstance(definedBy: State10.self)
  private var reactor: Reactor<Accountant>?
  private var changes = 0

  init(_ sink: Sink) { self.sink = sink }

  func attach() {
    reactor = Flask.reactor(attachedTo: self, mixing: [substance]) { owner, reaction in
      reaction.on(State10.prop.counter) { change in
        self.changes &+= 1
        self.sink.hear(change.oldValue() ?? 0, change.newValue() ?? 0)
      }
    }
  }

  func change(_ count: Int) {
    guard let reactor else { return }
    for _ in 0..<count { reactor.mix(substance) { $0.prop.counter &+= 1 }.react() }
  }
}

/// The bound inside an actor.
private actor HandAccountant {
  private let store: HandStore10

  init(_ sink: Sink) { store = HandStore10 { sink.hear($0, $1) } }

  func change(_ count: Int) { for _ in 0..<count { store.mutate { $0.counter &+= 1 } } }
}
