import FlaskDiff
import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

@Suite(.ownFlux) struct ObserverTests {
  private let profile = Watched<Profile>()
  private let log = Recorder<String>()

  @Test func `an observer of a key path hears the old and the new value of it alone`() {
    let token = profile.substance.observe(\.info.nest.bar) { [log] old, new in log.append("\(old) to \(new)")
    }
    profile.mix { $0.prop.info.nest.bar = 5 }
    profile.mix { $0.prop.info.nest.foo = "x" }
    profile.mix { $0.prop.info.nest.bar = 5 }
    #expect(log.all == ["1 to 5"])
    token.cancel()
  }

  @Test func `an observer of a string key hears its change`() {
    let tokens = ["info", "scores.alice", "address.street", "list"].map { key in
      profile.substance.observe(key: key) { [log] in log.append($0.key()) }
    }
    profile.mix { $0.prop.scores["bob"] = 1 }
    profile.mix { $0.prop.scores["alice"] = 1 }
    profile.mix { $0.prop.address = Profile.Address() }
    profile.mix { $0.prop.info.title = "x" }
    #expect(log.all == ["scores.alice", "address.street", "info"])
    withExtendedLifetime(tokens) {}
  }

  @Test func `an observer of a computed key path hears its change`() {
    let token = profile.substance.observe(\.headline) { [log] old, new in log.append("\(old) to \(new)") }
    profile.mix { $0.prop.list = [1] }
    profile.mix { $0.prop.info.title = "x" }
    #expect(log.all == ["none! to x!"])
    token.cancel()
  }

  @Test func `an underscored property of a state is not observed, not even beside one that is`() {
    let tokens = [
      profile.substance.observe(\._cache) { [log] _, _ in log.append("_cache") },
      profile.substance.observe(\.info.nest._secret) { [log] _, _ in log.append("_secret") },
    ]
    let reactor = Flask.reactor(attachedTo: log, mixing: [profile.substance]) { log, reaction in
      reaction.on(\Profile._cache) { _ in log.append("reaction to _cache") }
      reaction.on(\Profile.info.title) { _ in log.append("title") }
    }
    profile.mix {
      $0.prop._cache = 1
      $0.prop.info.nest._secret = 1
      $0.prop.info.title = "x"
    }
    // What is hidden in a state is not hidden in a struct that is nested in it.
    #expect(log.all == ["title", "_secret"])
    withExtendedLifetime((tokens, reactor)) {}
  }

  @Test func `observers are notified after the reactors, by key, then in the order they were made`() {
    let reactor = Flask.reactor(attachedTo: log, mixing: [profile.substance]) { log, _ in
      log.append("reactor")
    }
    let tokens = [("list", 1), ("info", 2), ("list", 3), ("info", 4)].map { key, number in
      profile.substance.observe(key: key) { [log] in log.append("\($0.key()) \(number)") }
    }
    profile.mix {
      $0.prop.list = [1]
      $0.prop.info.title = "x"
    }
    #expect(log.all == ["reactor", "info 2", "info 4", "list 1", "list 3"])
    withExtendedLifetime((reactor, tokens)) {}
  }

  @Test func `a cancelled observation hears nothing, not even what is being delivered`() {
    let tokens = Recorder<SubstanceObservation>()
    let first = profile.substance.observe(\.list) { [log] _, _ in
      log.append("first")
      tokens.all[0].cancel()
    }
    tokens.append(profile.substance.observe(\.list) { [log] _, _ in log.append("second") })
    profile.mix { $0.prop.list = [1] }
    profile.mix { $0.prop.list = [2] }
    #expect(log.all == ["first", "first"])
    first.cancel()
    first.cancel()
    profile.mix { $0.prop.list = [3] }
    #expect(log.count == 2)
  }

  @Test func `an observation that is released ends`() {
    do {
      let token = profile.substance.observe(\.list) { [log] _, _ in log.append("heard") }
      withExtendedLifetime(token) {}
    }
    profile.mix { $0.prop.list = [1] }
    #expect(log.all == [])
  }

  @Test func `an observation holds no substance`() {
    weak var gone: Substance<Tally>?
    let token: SubstanceObservation
    do {
      let tally = Substance<Tally>()
      gone = tally
      token = tally.observe(\.counter) { _, _ in }
    }
    #expect(gone == nil)
    token.cancel()
  }

  @Test func `observing an unknown key is a fault`() {
    let token = profile.substance.observe(key: "info.titel") { _ in }
    let faults = FaultLog.current.take()
    #expect(faults.map(\.kind) == [.unknownKey])
    #expect(faults.first?.message.contains("info.titel") == true)
    token.cancel()
  }

  @Test func `a nested mix of an observer is performed after all have been notified`() {
    let profile = profile
    let tokens = [1, 2].map { number in
      profile.substance.observe(\.list) { [log] _, new in
        log.append("\(number): \(new)")
        if number == 1, new == [1] { profile.mix { $0.prop.list = [2] } }
      }
    }
    profile.mix { $0.prop.list = [1] }
    #expect(log.all == ["1: [1]", "2: [1]", "1: [2]", "2: [2]"])
    withExtendedLifetime(tokens) {}
  }

  @MainActor @Test func `an observer made on the main actor hears there, in order`() async {
    let done = Signal()
    let profile = profile
    let numbers = Recorder<Int>()
    let token = profile.substance.observe(\.list) { _, new in
      MainActor.assertIsolated()
      numbers.append(new.count)
      if new.count == 50 { done.fire() }
    }
    await OtherThread.run { for _ in 0..<50 { profile.mix { $0.prop.list.append(0) } } }
    await done.wait()
    #expect(numbers.all == Array(1...50))
    token.cancel()
  }
}

extension ObserverTests {
  @Test func `a key path that continues from a stored property is found by that property`() {
    let tally = Watched<Tally>()
    let layout = tally.substance.cell.layout
    #expect(layout.firstKey(of: \Tally.maybe?.magnitude) == layout.index(of: "maybe"))
    #expect(layout.firstKey(of: \Tally.text.count) == layout.index(of: "text"))
    #expect(layout.firstKey(of: \Tally.self) == nil)
    let heard = Recorder<[UInt?]>()
    let token = tally.substance.observe(\.maybe?.magnitude) { old, new in heard.append([old, new]) }
    for maybe in [nil, -3, 3, 4, nil] {
      tally.mix {
        $0.prop.maybe = maybe
        $0.prop.counter += 1
      }
    }
    #expect(heard.all == [[nil, 3], [3, 4], [4, nil]])
    withExtendedLifetime(token) {}
  }
}
