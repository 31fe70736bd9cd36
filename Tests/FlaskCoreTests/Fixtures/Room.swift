import FlaskCore
@testable import KernelFixtures
import TestSupport

/// An actor that owns a reactor.
actor Room: FlaskReactor {
  private(set) var counters: [Int] = []
  private(set) var reactor: Reactor<Room>?
  private var waiting: (count: Int, signal: Signal)?

  func attach(_ tally: Substance<Tally>) { reactor = Flask.attachReactor(to: self, mixing: tally) }

  nonisolated func flaskReactions(reaction: FlaskReaction) {
    assumeIsolated { room in room.hear(reaction) }
  }

  private func hear(_ reaction: FlaskReaction) {
    reaction.on(\Tally.counter) { counters.append($0.new) }
    if let waiting, counters.count >= waiting.count { waiting.signal.fire() }
  }

  func mixAndLook(_ tally: Substance<Tally>) -> [Int] {
    reactor?.mix(tally) { $0.prop.counter = 1 }.react()
    return counters
  }

  /// Returns when that many reactions have been heard.
  func heard(_ count: Int) async {
    if counters.count >= count { return }
    let signal = Signal()
    waiting = (count, signal)
    await signal.wait()
  }
}
