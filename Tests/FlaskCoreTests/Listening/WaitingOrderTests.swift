import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

/// What waits for the isolation of a reactor is heard in order, by whoever is to hear it when its turn comes.
@Suite(.ownFlux) struct WaitingOrderTests {
  private let tally = Substance<Tally>()
  private let owner = Owner()
  private let log = Recorder<Int>()

  private var handler: Reactor<Owner>.Handler {
    { [log] _, reaction in reaction.on(\Tally.counter) { log.append($0.new) } }
  }

  private func mixElsewhere(_ reactor: Reactor<Owner>, _ numbers: ClosedRange<Int>) {
    let tally = tally
    OtherThread.runBlocking {
      for number in numbers { reactor.mix(tally) { $0.prop.counter = number }.react(isolation: nil) }
    }
  }

  @MainActor @Test func `a new handler hears what waits before what comes`() async {
    let reactor = Flask.reactor(attachedTo: owner, mixing: tally)
    let former = Recorder<Int>()
    reactor.handler = { _, _ in former.append(0) }
    mixElsewhere(reactor, 1...3)
    reactor.handler = handler
    mixElsewhere(reactor, 4...4)
    reactor.mix(tally) { $0.prop.counter = 5 }.react()
    #expect(log.all == [1, 2, 3, 4, 5])
    await mainActorIsDone()
    #expect(log.all == [1, 2, 3, 4, 5])
    #expect(former.all == [])
  }

  @MainActor @Test func `a handler moved to another actor hears what waits before what comes`() async {
    let reactor = Flask.reactor(attachedTo: owner, mixing: tally)
    reactor.handler = { _, _ in }
    mixElsewhere(reactor, 1...3)
    let done = Signal()
    reactor.handler = { @Workshop [log] _, reaction in
      Workshop.assertIsolated()
      reaction.on(\Tally.counter) { log.append($0.new) }
      if log.count == 5 { done.fire() }
    }
    mixElsewhere(reactor, 4...5)
    await done.wait()
    #expect(log.all == [1, 2, 3, 4, 5])
  }

  @MainActor @Test func `a handler moved away from an actor that is busy does not wait for it`() {
    let reactor = Flask.reactor(attachedTo: owner, mixing: tally)
    reactor.handler = { _, _ in }
    let (tally, log) = (tally, log)
    OtherThread.runBlocking {
      let moved = Gate()
      reactor.mix(tally) { $0.prop.counter = 1 }.react(isolation: nil)
      reactor.handler = { @Workshop _, reaction in
        reaction.on(\Tally.counter) { log.append($0.new) }
        moved.open()
      }
      moved.wait()
    }
    #expect(log.all == [1])
  }

  @MainActor @Test func `a handler moved from the main actor to no isolation hears what waits first`() async {
    let done = Signal()
    let reactor = OtherThread.reactor(attachedTo: owner, mixing: tally)
    reactor.handler = { @MainActor _, _ in }
    mixElsewhere(reactor, 1...3)
    reactor.handler = { [log] _, reaction in
      reaction.on(\Tally.counter) { log.append($0.new) }
      if log.count == 4 { done.fire() }
    }
    mixElsewhere(reactor, 4...4)
    await done.wait()
    #expect(log.all == [1, 2, 3, 4])
  }

  @MainActor @Test func `unbound, it drops what waits; bound again, it hears the next`() async {
    let reactor = Flask.reactor(attachedTo: owner, mixing: tally, handler: handler)
    mixElsewhere(reactor, 1...3)
    reactor.unbind()
    reactor.bind()
    await mainActorIsDone()
    mixElsewhere(reactor, 4...4)
    reactor.mix(tally) { $0.prop.counter = 5 }.react()
    await mainActorIsDone()
    #expect(log.all == [4, 5])
  }

  @MainActor @Test func `a waiting handler that mixes is not entered again`() async {
    let lines = Recorder<String>()
    let done = Signal()
    let reactor = Flask.reactor(attachedTo: owner, mixing: tally)
    let tally = tally
    reactor.handler = { [weak reactor] _, reaction in
      let number = tally.state.counter
      lines.append("begin \(number)")
      if number < 3 { reactor?.mix(tally) { $0.prop.counter += 1 }.react() }
      lines.append("end \(number)")
      if number == 3 { done.fire() }
    }
    mixElsewhere(reactor, 1...1)
    await done.wait()
    #expect(lines.all == ["begin 1", "end 1", "begin 2", "end 2", "begin 3", "end 3"])
  }

  @MainActor @Test func `unbound and bound in its own handler it hears the next one, and this one once`() {
    let reactor = Flask.reactor(attachedTo: owner, mixing: tally)
    reactor.handler = { [log, weak reactor] _, reaction in
      reaction.on(\Tally.counter) { log.append($0.new) }
      reactor?.unbind()
      reactor?.bind()
    }
    for number in 1...3 { reactor.mix(tally) { $0.prop.counter = number }.react() }
    #expect(log.all == [1, 2, 3])
  }

  @Test func `the first handler that another reactor sets in a delivery hears this commit`() {
    let other = Flask.reactor(attachedTo: owner, mixing: tally)
    let reactor = Flask.reactor(attachedTo: owner, mixing: tally)
    other.handler = { [handler] _, _ in reactor.handler = handler }
    other.mix(tally) { $0.prop.counter = 1 }.react()
    #expect(log.all == [1])
    other.handler = { _, _ in
      reactor.handler = nil
      reactor.handler = nil
    }
    other.mix(tally) { $0.prop.counter = 2 }.react()
    #expect(log.all == [1])
  }

  @Test func `unbound and bound by another reactor in a delivery, it hears the next one`() {
    let other = Flask.reactor(attachedTo: owner, mixing: tally)
    let reactor = Flask.reactor(attachedTo: owner, mixing: tally, handler: handler)
    other.handler = { _, _ in
      reactor.handler = reactor.handler
      reactor.unbind()
      reactor.bind()
    }
    other.mix(tally) { $0.prop.counter = 1 }.react()
    #expect(log.all == [])
    other.handler = nil
    other.mix(tally) { $0.prop.counter = 2 }.react()
    #expect(log.all == [2])
  }

  @Test func `what is mixed at a high priority is not delivered at a low one`() async {
    let room = HeldRoom()
    let reactor = Flask.reactor(attachedTo: owner, mixing: tally, isolation: room, handler: handler)
    let tally = tally
    for priority in [TaskPriority.background, .high] {
      let mixed = Signal()
      Task.detached(priority: priority) {
        reactor.mix(tally) { $0.prop.counter += 1 }.react(isolation: nil)
        mixed.fire()
      }
      await mixed.wait()
    }
    await room.executor.enqueued(2)
    #expect(room.executor.priorities.contains(.high))
    room.executor.perform()
    #expect(log.all == [1, 2])
  }
}

extension OtherThread {
  /// Attaches a reactor from no isolation, on this thread.
  static func reactor<Owner: AnyObject>(attachedTo owner: Owner, mixing substance: AnySubstance) -> Reactor<
    Owner
  > {
    Flask.reactor(attachedTo: owner, mixing: substance, isolation: nil)
  }
}
