import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

/// A handler runs on its isolation, whatever the caller says where it is: in Swift 5 mode a closure may say it
/// wrongly.
@Suite(.ownFlux) struct IsolationOfHandlersTests {
  private let tally = Substance<Tally>()

  @MainActor @Test func `a caller that wrongly says main actor does not bring a handler off it`() async {
    let screen = Screen()
    let reactor = Flask.attachReactor(to: screen, mixing: tally)
    let isOnMain = Recorder<Bool>()
    let token = tally.observe(\.counter) { @MainActor _, _ in isOnMain.append(MainThread.isCurrent) }
    let tally = tally
    await OtherThread.run {
      reactor.mix(tally) { $0.prop.counter = 1 }.react(isolation: MainActor.shared)
      Flask.bus.performInFluxQueue(isolation: MainActor.shared) {}
    }
    await screen.heard(1)
    await mainActorIsDone { isOnMain.count == 1 }
    #expect(screen.counters == [1])
    #expect(isOnMain.all == [true])
    token.cancel()
  }

  @Test func `a caller that wrongly names an actor does not bring a handler off it`() async {
    let room = Room()
    await room.attach(tally)
    let (tally, reactor) = (tally, await room.reactor)
    await OtherThread.run {
      reactor?.mix(tally) { $0.prop.counter = 1 }.react(isolation: room); return
    }
    await room.heard(1)
    #expect(await room.counters == [1])
  }

  @Test func `an actor that adopts FlaskReactorActor hears in itself, attached from anywhere`() async {
    let diary = Diary()
    let reactor = Flask.attachReactor(to: diary, mixing: tally)
    let tally = tally
    await OtherThread.run {
      for number in 1...20 { reactor.mix(tally) { $0.prop.counter = number }.react(isolation: nil) }
    }
    await diary.heard(20)
    #expect(await diary.counters == Array(1...20))
    Flask.detachReactor(from: diary)
  }

  @Test func `owners on the main actor are released there, whichever one looks for those that were removed`()
    async
  {
    let isOnMain = Recorder<Bool>()
    let tally = tally
    let rounds = Proof.count(10, full: 1000)
    async let others: Void = OtherThread.run {
      for _ in 0..<(rounds * 20) {
        let owner = Owner()
        Flask.reactor(attachedTo: owner, mixing: tally, isolation: nil).unbind()
        if Int.random(in: 0..<10) == 0 { ReactorManager.purge() }
      }
    }
    for _ in 0..<rounds {
      await MainActor.run {
        for _ in 0..<10 {
          let owner = MainOwner { isOnMain.append(MainThread.isCurrent) }
          Flask.reactor(attachedTo: owner, mixing: tally)
        }
      }
    }
    await others
    #expect(isOnMain.count == rounds * 10)
    #expect(isOnMain.all.filter { !$0 }.count == 0)
  }
}

/// An actor that owns a reactor by its protocol.
private actor Diary: FlaskReactorActor {
  private(set) var counters: [Int] = []
  private var waiting: (count: Int, signal: Signal)?

  func flaskReactions(reaction: FlaskReaction) {
    reaction.on(\Tally.counter) { counters.append($0.new) }
    if let waiting, counters.count >= waiting.count { waiting.signal.fire() }
  }

  func heard(_ count: Int) async {
    if counters.count >= count { return }
    let signal = Signal()
    waiting = (count, signal)
    await signal.wait()
  }
}

/// An owner that belongs to the main actor.
@MainActor private final class MainOwner {
  private let words: LastWords
  init(_ body: @escaping @Sendable () -> Void) { words = LastWords(body) }
}
