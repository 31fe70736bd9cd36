import BenchmarkSink
import BenchmarkStates
import FlaskCore
import FlaskSwift5
import HandWritten

/// What a client in Swift 5 mode writes: owner, reactor and mix on the main actor, and a closure that captures a value.
/// Each function prepares everything, and returns what performs the operation so many times, on the main thread.
public enum Swift5Client {
  /// The bound: the hand-written store, given such closures.
  public static func hand(_ sink: Sink) -> (Int) -> Void {
    let store = HandStore10 { sink.hear($0, $1) }
    return { for step in 0..<$0 { store.mutate { $0.counter &+= step | 1 } } }
  }

  /// A reactor of the main actor.
  public static func reactor(_ sink: Sink) -> (Int) -> Void {
    let screen = MainActor.assumeIsolated { Screen(sink) }
    return { count in MainActor.assumeIsolated { screen.change(count) } }
  }
}

@MainActor class Controller {}

/// A screen as an app has it. Its base class is of the main actor, as UIKit's are.
class Screen: Controller, FlaskReactor {
  private let sink: Sink
  private let substance = Flask.newSubstance(definedBy: State10.self)
  private var reactor: Reactor<Screen>?

  init(_ sink: Sink) {
    self.sink = sink
    super.init()
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
