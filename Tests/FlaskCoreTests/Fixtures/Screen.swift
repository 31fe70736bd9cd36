import FlaskCore
@testable import KernelFixtures
import TestSupport

/// An owner on the main actor.
@MainActor final class Screen: @MainActor FlaskReactor {
  private(set) var counters: [Int] = []
  private(set) var changes: [String] = []
  private var waiting: (count: Int, signal: Signal)?

  func flaskReactions(reaction: FlaskReaction) {
    MainActor.assertIsolated()
    reaction.on(\Tally.counter) { change in
      counters.append(change.new)
      changes.append("\(change.old) to \(change.new)")
    }
    if let waiting, counters.count >= waiting.count { waiting.signal.fire() }
  }

  /// Returns when that many reactions have been heard.
  func heard(_ count: Int) async {
    if counters.count >= count { return }
    let signal = Signal()
    waiting = (count, signal)
    await signal.wait()
  }
}
