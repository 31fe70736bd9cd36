import FlaskPrimitives
import Foundation
import Observation
import Synchronization
import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

@Suite(.ownFlux) struct TrackingTests {
  private let profile = Substance(Profile())
  private let log = Recorder<String>()

  /// Tracks what `read` reads, once; `name` is written down when it has changed.
  private func track(_ name: String, _ read: () -> Void) {
    withObservationTracking(read) { [log] in log.append(name) }
  }

  @Test func `who reads a key is notified of that key alone, and once`() {
    track("list") { _ = profile.list }
    track("title") { _ = profile[\.info.title] }
    profile.mix { $0.scores["bob"] = 1 }
    #expect(log.take() == [])
    profile.mix { $0.info.title = "x" }
    #expect(log.take() == ["title"])
    profile.mix { $0.list = [1] }
    profile.mix { $0.list = [2] }
    #expect(log.take() == ["list"])
  }

  @Test(arguments: [false, true])
  func `an observer that is added when a change is announced hears of the next one`(
    _ areSeveral: Bool
  ) {
    let (profile, other, log) = (profile, Substance(Profile()), log)
    let held = Lock<SubstanceObservation?>(nil)
    withObservationTracking {
      _ = profile.list
    } onChange: {
      held.withLock { $0 = profile.observe(\.list) { _, new in log.append("\(new)") } }
    }
    for number in 1...2 {
      if areSeveral {
        Flask.mix(profile, other) { profile, other in (profile.list, other.list) = ([number], [number]) }
      } else {
        profile.mix { $0.list = [number] }
      }
    }
    #expect(log.take() == ["[2]"])
    held.withLock { $0 = nil }
  }

  @Test func `who reads several keys is notified once, of a mix that changes any or all of them`() {
    track("both") { _ = (profile.list, profile.scores, profile.state) }
    profile.mix {
      $0.list = [1]
      $0.scores["bob"] = 1
    }
    #expect(log.take() == ["both"])
    profile.mix { $0.scores["bob"] = 2 }
    #expect(log.take() == [])
    track("both") { _ = (profile.list, profile.scores) }
    profile.mix { $0.scores["bob"] = 3 }
    profile.mix { $0.list = [2] }
    #expect(log.take() == ["both"])
  }

  @Test func `who reads the state is notified of any key`() {
    track("state") { _ = profile.state.list }
    profile.mix { $0.scores["bob"] = 1 }
    #expect(log.take() == ["state"])
  }

  @Test func `who reads a property hears of what is below it, and of what is above it`() {
    track("info") { _ = profile.info }
    track("foo") { _ = profile[\.info.nest.foo] }
    track("bar") { _ = profile[\.info.nest.bar] }
    profile.mix { $0.info.nest.foo = "x" }
    #expect(Set(log.take()) == ["info", "foo"])
    profile.mix { $0.info = Profile.Info(nest: Profile.Nest(foo: "y", bar: 2)) }
    #expect(log.take() == ["bar"])
  }

  @Test func `a computed property is tracked by what it can depend on`() {
    track("headline") { _ = profile.headline }
    profile.mix { $0.info.title = "x" }
    #expect(log.take() == ["headline"])
  }

  @Test func `a mix that changes nothing notifies no one`() {
    track("list") { _ = profile.list }
    profile.mix { $0.list = [] }
    profile.mix { $0._cache = 1 }
    #expect(log.take() == [])
  }

  @Test func `keys beyond the first sixty-two are tracked by key`() {
    let wide = Substance(WideState())
    track("first") { _ = wide.f000 }
    track("late") { _ = wide.f090 }
    wide.mix { $0.f093 = 1 }
    #expect(log.take() == [])
    wide.mix { $0.f090 = 1 }
    #expect(log.take() == ["late"])
    track("late") { _ = wide.f090 }
    wide.mix { $0.f000 = 1 }
    #expect(log.take() == ["first"])
    wide.mix { $0.f090 = 2 }
    #expect(log.take() == ["late"])
  }

  @Test
  func `the ones that track are notified on the thread that mixes, before the reactors, and see the change`()
  {
    let watched = Watched(profile)
    let thread = ThreadIdentity.current
    withObservationTracking {
      _ = profile.list
    } onChange: { [log, profile, heard = watched.heard] in
      log.append("\(ThreadIdentity.current == thread) \(profile.list) \(heard.count)")
    }
    profile.mix { $0.list = [1] }
    #expect(log.take() == ["true [1] 0"])
    #expect(watched.heard.all == [["list"]])
  }

  @Test func `a closure that tracks again as soon as it is notified misses nothing`() {
    let profile = profile
    @Sendable func follow() {
      withObservationTracking {
        log.append("\(profile.list.count)")
      } onChange: {
        follow()
      }
    }
    follow()
    for count in 1...5 { profile.mix { $0.list = Array(repeating: 0, count: count) } }
    #expect(log.take() == ["0", "1", "2", "3", "4", "5"])
  }

  @Test func `substances that are changed together are notified of together`() {
    let tally = Substance(Tally())
    for name in ["a", "b"] {
      withObservationTracking {
        _ = (profile.list, tally.counter)
      } onChange: { [log, profile, tally] in
        log.append("\(name) \(profile.list) \(tally.counter)")
      }
    }
    Flask.mix(profile, tally) { profile, tally in
      profile.list = [1]
      tally.counter = 1
    }
    #expect(Set(log.take()) == ["a [1] 1", "b [1] 1"])
  }

  @Test func `nothing is noticed by commits while no one tracks`() {
    _ = (profile.list, profile.state)
    #expect(profile.cell.notices == 0)
    track("list") { _ = profile.list }
    #expect(profile.cell.notices != 0)
    profile.mix { $0.list = [1] }
    #expect(profile.cell.notices == 0)
    _ = (profile.list, profile.state)
    #expect(profile.cell.notices == 0)
  }

  @Test func `a change between the read and the end of the closure is notified after all`() async {
    for _ in 0..<10 {
      let told = Signal()
      withObservationTracking {
        _ = profile.list
        profile.mix { $0.list.append(1) }
      } onChange: {
        told.fire()
      }
      await told.wait()
    }
  }

  @Test func `what others read and change twice before the end of the closure is notified after all`() async {
    let told = Signal()
    withObservationTracking {
      _ = profile.list
      OtherThread.runBlocking { [profile] in
        for number in 1...2 {
          profile.mix { $0.list.append(number) }
          withObservationTracking {
            _ = profile.list
          } onChange: {
          }
        }
      }
    } onChange: {
      told.fire()
    }
    await told.wait()
  }

  @Test func `who is notified sees the change, and none stays behind`() async {
    let tally = Substance(Tally())
    let rounds = Proof.count(20_000, full: 1_000_000)
    let progress = Progress()
    let stale = Recorder<String>()
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        await OtherThread.run {
          for round in 1...rounds {
            while progress.begun.load(ordering: .acquiring) < round { sched_yield() }
            tally.mix { $0.counter = round }
            progress.ended.store(round, ordering: .releasing)
          }
        }
      }
      group.addTask {
        await OtherThread.run {
          for round in 1...rounds {
            let told = Told()
            progress.begun.store(round, ordering: .releasing)
            // Comes before, during and after the mix of the other thread.
            for _ in 0..<(round & 63) { _ = told.hasBeen }
            let seen = withObservationTracking {
              tally.counter
            } onChange: {
              if tally.counter < round { stale.append("told of \(round) and read \(tally.counter)") }
              told.set()
            }
            while progress.ended.load(ordering: .acquiring) < round { sched_yield() }
            // Comes in the end, or this test never does.
            if seen != round { while !told.hasBeen { sched_yield() } }
          }
        }
      }
    }
    #expect(stale.all == [])
  }

  /// The rounds that the reader has begun, and those that the writer has ended.
  private final class Progress: Sendable {
    let begun = Atomic<Int>(0)
    let ended = Atomic<Int>(0)
  }

  /// Whether somebody has been told.
  private final class Told: Sendable {
    private let isSet = Atomic<Bool>(false)
    var hasBeen: Bool { isSet.load(ordering: .acquiring) }
    func set() { isSet.store(true, ordering: .releasing) }
  }

  @Test func `a substance that is tracked goes when no one holds it`() {
    weak var gone: Substance<Profile>?
    do {
      let substance = Substance(Profile())
      track("never") { _ = (substance.list, substance.state) }
      gone = substance
    }
    #expect(gone == nil)
    #expect(log.take() == [])
  }

  @Test func `observations give the newest value`() async {
    let tally = Substance(Tally())
    let values = Observations { tally.counter }
    let reader = Task {
      var last = -1
      for await value in values {
        last = value
        if value == 100 { break }
      }
      return last
    }
    for count in 1...100 {
      tally.mix { $0.counter = count }
      await Task.yield()
    }
    #expect(await reader.value == 100)
  }

  @Test func `a change of another thread before the end of the closure is notified after all`() async {
    let tally = Substance(Tally())
    for round in 1...10 {
      let told = Signal()
      let gate = Gate()
      withObservationTracking {
        _ = (profile.list, tally.counter)
        Thread { [profile] in
          if round % 2 == 0 {
            profile.mix { $0.list.append(1) }
          } else {
            tally.mix { $0.counter += 1 }
          }
          gate.open()
        }.start()
        gate.wait()
      } onChange: {
        told.fire()
      }
      await told.wait()
    }
  }
}
