import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

/// Handlers are set, bound, unbound and moved at random while mixes come from everywhere: each reactor hears what it
/// is told in order, each at most once, never while it runs, at the right place, and nothing is lost while it is
/// bound.
@Suite(.ownFlux) struct RandomOrderTests {
  private let tally = Substance<Tally>()
  private let owner = Owner()
  private let first = QueueRoom()
  private let second = QueueRoom()

  @Test(arguments: 0..<Proof.count(6, full: 120)) func `a run of a seed`(seed: Int) async {
    let hearings = (0..<4).map { _ in Hearing() }
    let reactors = hearings.map { _ in Flask.reactor(attachedTo: owner, mixing: tally, isolation: nil) }
    for (hearing, reactor) in zip(hearings, reactors) {
      hearing.bound(before: -1, after: 0)
      move(reactor, of: hearing, to: .none)
    }
    let stillHeard = Recorder<Int>()
    let token = tally.observe(\.counter) { @MainActor _, new in stillHeard.append(new) }
    let mixer = Flask.reactor(attachedTo: owner, mixing: tally, isolation: nil)
    let count = Proof.count(150, full: 1500)
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await change(reactors, hearings, seed: seed) }
      for thread in 0..<2 { group.addTask { await mix(mixer, count, onThread: thread) } }
      group.addTask { await mixOnMainActor(mixer, count) }
      group.addTask { [first, tally] in
        await first.perform { room in
          for number in 0..<count {
            mixer.mix(tally) { $0.prop.counter += 1 }.react(isolation: room)
            if number % 8 == 0 { await Task.yield() }
          }
        }
      }
    }
    let end = await Flask.performInFluxQueue {}.outcome
    #expect(end.description == "unchanged")
    // Handlers mix, too, where they are told later: all is done once everybody has heard the last.
    var total = tally.state.counter
    for _ in 0..<100_000 {
      if !hearings.contains(where: { $0.last != total }) && stillHeard.count >= total { break }
      await mainActorIsDone()
      await first.perform { _ in }
      await second.perform { _ in }
      await Task.yield()
      total = tally.state.counter
    }
    #expect(total >= count * 4)
    for (number, hearing) in hearings.enumerated() {
      #expect(hearing.faults(upTo: total) == [], "seed \(seed), reactor \(number)")
    }
    #expect(stillHeard.all == Array(1...total), "seed \(seed), observer")
    token.cancel()
    Flask.detachReactor(from: owner)
  }

  /// Mixes on a thread of its own, which says of itself that it is here or there.
  private func mix(_ mixer: Reactor<Owner>, _ count: Int, onThread thread: Int) async {
    await OtherThread.run { [tally, first] in
      for number in 0..<count {
        let claim: (any Actor)? = [nil, MainActor.shared, first][(number * 7 + thread) % 3]
        mixer.mix(tally) { $0.prop.counter += 1 }.react(isolation: claim)
      }
    }
  }

  @MainActor private func mixOnMainActor(_ mixer: Reactor<Owner>, _ count: Int) async {
    for number in 0..<count {
      mixer.mix(tally) { $0.prop.counter += 1 }.react()
      if number % 8 == 0 { await Task.yield() }
    }
  }

  /// Changes the reactors at random; in the end all are bound.
  private func change(_ reactors: [Reactor<Owner>], _ hearings: [Hearing], seed: Int) async {
    await OtherThread.run {
      var random = SeededGenerator(seed: UInt64(seed))
      for _ in 0..<Proof.count(150, full: 1500) {
        let index = Int.random(in: 0..<reactors.count, using: &random)
        let (reactor, hearing) = (reactors[index], hearings[index])
        switch Int.random(in: 0..<8, using: &random) {
        case 0: reactor.unbind()
        case 1:
          reactor.unbind()
          bind(reactor, hearing)
        case 2: bind(reactor, hearing)
        default:
          move(reactor, of: hearing, to: Hearing.Place.allCases.randomElement(using: &random) ?? .none)
        }
      }
      for (reactor, hearing) in zip(reactors, hearings) { bind(reactor, hearing) }
      // One more, which all of them hear.
      reactors[0].mix(tally) { $0.prop.counter += 1 }.react(isolation: nil)
    }
  }

  private func bind(_ reactor: Reactor<Owner>, _ hearing: Hearing) {
    if reactor.isBound { return }
    let before = tally.state.counter
    // Noted before it can be heard; what is after is not known yet, and is noted again.
    hearing.bound(before: before, after: before)
    reactor.bind()
    hearing.bound(before: before, after: tally.state.counter)
  }

  private func move(_ reactor: Reactor<Owner>, of hearing: Hearing, to place: Hearing.Place) {
    let (isolation, isThere): (HandlerIsolation, @Sendable () -> Bool) =
      switch place {
      case .none: (.none, { true })
      case .main: (.main, { MainThread.isCurrent })
      case .first: (HandlerIsolation(first), { [executor = first.executor] in executor.isCurrent })
      case .second: (HandlerIsolation(second), { [executor = second.executor] in executor.isCurrent })
      }
    let tally = tally
    reactor.setHandler(
      { [weak reactor] _, reaction in
        reaction.on(\Tally.counter) { change in
          hearing.begin(change.new, at: place, isThere: isThere())
          if change.new % 97 == 0 {
            reactor?.mix(tally) { $0.prop.counter += 1 }.react(isolation: isolation.actor)
          }
          hearing.end()
        }
      },
      on: isolation
    )
  }
}
