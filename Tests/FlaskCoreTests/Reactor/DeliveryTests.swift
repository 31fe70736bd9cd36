import FlaskPrimitives
import Foundation
import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

/// Where reactions arrive.
@Suite(.ownFlux) struct DeliveryTests {
  private let tally = Substance<Tally>()

  @MainActor @Test func `attached and mixed on the main actor, the handler runs at once`() {
    let screen = Screen()
    let reactor = Flask.attachReactor(to: screen, mixing: tally)
    reactor.mix(tally) { $0.prop.counter = 1 }.react()
    #expect(screen.counters == [1])
  }

  @MainActor @Test func `mixed elsewhere, the handler runs on the main actor, in order`() async {
    let screen = Screen()
    let reactor = Flask.attachReactor(to: screen, mixing: tally)
    let tally = tally
    await OtherThread.run {
      for number in 1...100 { reactor.mix(tally) { $0.prop.counter = number }.react(isolation: nil) }
    }
    await screen.heard(100)
    #expect(screen.counters == Array(1...100))
  }

  @MainActor @Test func `order is kept between deliveries that wait and one at once`() async {
    let screen = Screen()
    let reactor = Flask.attachReactor(to: screen, mixing: tally)
    let tally = tally
    blockingly {
      for number in 1...10 { reactor.mix(tally) { $0.prop.counter = number }.react(isolation: nil) }
    }
    #expect(screen.counters == [])
    reactor.mix(tally) { $0.prop.counter = 11 }.react()
    #expect(screen.counters == Array(1...11))
    await Task.yield()
    #expect(screen.counters == Array(1...11))
  }

  @MainActor @Test func `a nonisolated function called on the main actor delivers at once too`() {
    let screen = Screen()
    let reactor = Flask.attachReactor(to: screen, mixing: tally)
    Self.mix(reactor, tally)
    #expect(screen.counters == [1])
  }

  private nonisolated static func mix(_ reactor: Reactor<Screen>, _ tally: Substance<Tally>) {
    reactor.mix(tally) { $0.prop.counter = 1 }.react()
  }

  @Test func `attached inside an actor and mixed there, the handler runs at once`() async {
    let room = Room()
    await room.attach(tally)
    #expect(await room.mixAndLook(tally) == [1])
  }

  @Test func `mixed outside the actor, the handler runs on it, in order`() async {
    let room = Room()
    await room.attach(tally)
    let (tally, reactor) = (tally, await room.reactor)
    await OtherThread.run {
      for number in 1...100 { reactor?.mix(tally) { $0.prop.counter = number }.react(isolation: nil) }
    }
    await room.heard(100)
    #expect(await room.counters == Array(1...100))
  }

  @Test func `attached from nonisolated code, the handler runs on the performing thread`() async {
    let owner = Owner()
    let threads = Recorder<UInt>()
    let tally = tally
    let reactor = Flask.reactor(attachedTo: owner, mixing: [tally]) { _, _ in
      threads.append(ThreadIdentity.current)
    }
    let thread = await OtherThread.run {
      reactor.mix(tally) { $0.prop.counter = 1 }.react(isolation: nil)
      return ThreadIdentity.current
    }
    #expect(threads.all == [thread])
  }

  @MainActor @Test func `a reactor unbound before its delivery arrives does not hear it`() async {
    let screen = Screen()
    let reactor = Flask.attachReactor(to: screen, mixing: tally)
    let tally = tally
    blockingly { reactor.mix(tally) { $0.prop.counter = 1 }.react(isolation: nil) }
    Flask.detachReactor(from: screen)
    let other = Screen()
    let second = Flask.attachReactor(to: other, mixing: tally)
    await OtherThread.run {
      second.mix(tally) { $0.prop.counter = 2 }.react(isolation: nil); return
    }
    await other.heard(1)
    #expect(screen.counters == [])
  }

  @MainActor @Test func `a delivery that waits describes its own moment`() async {
    let screen = Screen()
    let reactor = Flask.attachReactor(to: screen, mixing: tally)
    let tally = tally
    blockingly {
      for number in 1...3 { reactor.mix(tally) { $0.prop.counter = number }.react(isolation: nil) }
    }
    await screen.heard(3)
    #expect(screen.changes == ["0 to 1", "1 to 2", "2 to 3"])
  }

  @MainActor @Test func `a handler moved to another actor takes along what waits`() async {
    let owner = Owner()
    let done = Signal()
    let log = Recorder<String>()
    let reactor = Flask.reactor(attachedTo: owner, mixing: [tally])
    reactor.handler = { @MainActor _, _ in log.append("main") }
    let tally = tally
    blockingly { reactor.mix(tally) { $0.prop.counter = 1 }.react(isolation: nil) }
    reactor.handler = { @Workshop _, _ in
      Workshop.assertIsolated()
      log.append("workshop")
      done.fire()
    }
    await done.wait()
    #expect(log.all == ["workshop"])
  }

  @MainActor @Test func `a handler that is set while something waits is not called by the setter`() async {
    let room = HeldRoom()
    let owner = Owner()
    let log = Recorder<String>()
    let reactor = Flask.reactor(attachedTo: owner, mixing: [tally], isolation: room) { _, _ in }
    let tally = tally
    blockingly { reactor.mix(tally) { $0.prop.counter = 1 }.react(isolation: nil) }
    reactor.handler = { @MainActor _, _ in log.append("called") }
    log.append("set")
    await mainActorIsDone { log.count == 2 }
    #expect(log.all == ["set", "called"])
    room.executor.perform()
  }

  @Test func `in an actor of another executor the handler runs at once, if the caller says so`() async {
    let room = HeldRoom()
    async let heard = room.mixAndLook(tally)
    await room.executor.enqueued(1)
    room.executor.perform()
    #expect(await heard == ["1", "mixed", "mixed from nowhere"])
    room.executor.perform()
  }

  @Test func `an actor that attaches itself is not kept alive`() async {
    weak var gone: Room?
    do {
      let room = Room()
      await room.attach(tally)
      gone = room
    }
    #expect(gone == nil)
  }

  @MainActor @Test func `a substance whose reactions waited is not kept alive`() async {
    weak var gone: Substance<Tally>?
    let screen = Screen()
    do {
      let tally = Substance<Tally>()
      gone = tally
      let reactor = Flask.attachReactor(to: screen, mixing: tally)
      blockingly { reactor.mix(tally) { $0.prop.counter = 1 }.react(isolation: nil) }
      await screen.heard(1)
    }
    #expect(screen.counters == [1])
    #expect(gone == nil)
  }

  @Test func `the reactor of an actor that was removed goes, although nothing is mixed any more`() async {
    weak var gone: AnyReactor?
    do {
      let room = Room()
      await room.attach(tally)
      gone = await room.reactor
    }
    ReactorManager.purge(until: { gone == nil })
    #expect(gone == nil)
  }

  private final class Lodger: Sendable {}
  private actor Attic {
    func reactor(of lodger: Lodger, over tally: Substance<Tally>) -> Reactor<Lodger> {
      Flask.reactor(attachedTo: lodger, mixing: tally)
    }
  }

  @MainActor @Test
  func `a reactor whose actor was removed goes with its handler, although a commit waits for that`() async {
    let tally = tally
    // Many, since other tests that make reactors at the same time may find one before this does.
    for _ in 0..<50 {
      let lodger = Lodger()
      let reactor = await Attic().reactor(of: lodger, over: tally)
      reactor.handler = { @MainActor _, _ in }
      blockingly { tally.mix { $0.counter += 1 } }
      reactor.handler = nil
      #expect(!reactor.isBound)
      #expect(ReactorManager.reactors(of: lodger).isEmpty)
    }
  }

  @Test func `no commit is lost while the handler that it waits for is set again and again`() async {
    final class Heard: Sendable {
      let all = Lock<[Int]>([])
      let isOver = Lock(false)
    }
    let (lodger, heard, tally) = (Lodger(), Heard(), tally)
    let reactor = await MainActor.run { Flask.reactor(attachedTo: lodger, mixing: tally) }
    let handler: Reactor<Lodger>.Handler = { @MainActor _, reaction in
      reaction.on(\Tally.counter) { change in heard.all.withLock { $0.append(change.new) } }
    }
    reactor.handler = handler
    // On a thread of its own, which takes none from other tests.
    let isSettled = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      while !heard.isOver.withLock({ $0 }) { reactor.handler = handler }
      isSettled.signal()
    }
    for number in 1...4000 {
      tally.mix { $0.counter = number }
      if number.isMultiple(of: 50) { await MainActor.run {} }
    }
    heard.isOver.withLock { $0 = true }
    await OtherThread.run { isSettled.wait() }
    for _ in 0..<100 where heard.all.withLock({ $0.count }) < 4000 { await MainActor.run {} }
    #expect(heard.all.withLock { $0 } == Array(1...4000))
  }

  private struct Cabinet: Sendable, Equatable {
    var guardian: Guardian?
    static func == (a: Cabinet, b: Cabinet) -> Bool { a.guardian === b.guardian }
  }
  private final class Guardian: Sendable {
    let willGo: @Sendable () -> Void
    init(_ willGo: @escaping @Sendable () -> Void) { self.willGo = willGo }
    deinit { willGo() }
  }

  @MainActor @Test func `a value that goes with what waited for an unbound reactor may ask that reactor`() {
    let (lodger, cabinet, answers) = (Lodger(), Substance(Cabinet()), Lock<[Bool]>([]))
    let reactor = Flask.reactor(attachedTo: lodger, mixing: cabinet)
    reactor.handler = { @MainActor _, _ in }
    blockingly {
      cabinet.mix {
        $0.guardian = Guardian { [weak reactor] in answers.withLock { $0.append(reactor?.isBound ?? true) } }
      }
      cabinet.mix { $0.guardian = nil }
    }
    #expect(answers.withLock { $0 } == [])
    reactor.unbind()
    #expect(answers.withLock { $0 } == [false])
  }

  @Test func `the reactor of an actor that was removed goes with the next commit, though its owner lives`()
    async
  {
    let owner = Owner()
    do {
      let keeper = Keeper()
      await keeper.attach(to: owner, tally)
      #expect(ReactorManager.reactors(of: owner).count == 1)
    }
    tally.mix { $0.counter = 1 }
    #expect(ReactorManager.reactors(of: owner).isEmpty)
  }

  private actor Keeper {
    func attach(to owner: Owner, _ tally: Substance<Tally>) {
      Flask.reactor(attachedTo: owner, mixing: tally).handler = { _, _ in }
    }
  }

  @Test func `an owner held by the actor that attached it is not kept alive`() async {
    weak var gone: House?
    do {
      let house = House()
      await house.furnish(tally)
      gone = house
    }
    #expect(gone == nil)
  }

  /// Runs `body` on another thread while this one waits.
  private func blockingly(_ body: @escaping @Sendable () -> Void) { OtherThread.runBlocking(body) }
}

extension HeldRoom {
  fileprivate func mixAndLook(_ tally: Substance<Tally>) -> [String] {
    let log = Recorder<String>()
    let token = tally.observe(\.counter) { _, new in log.append("\(new)") }
    tally.mix { $0.counter = 1 }
    log.append("mixed")
    tally.mix(isolation: nil) { $0.counter = 2 }
    log.append("mixed from nowhere")
    token.cancel()
    return log.all
  }
}
