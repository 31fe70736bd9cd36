import Foundation
import Observation
import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

@Suite(.ownFlux) struct ObserveValuesTests {
  private let profile = Substance(Profile())
  private let log = Recorder<String>()

  @Test func `values are reported at once, and once per commit that changed any of them`() {
    let token = profile.observe(valuesOf: \.info.title, \.list) { [log] title, list in
      log.append("\(title) \(list)")
    }
    #expect(log.take() == ["none []"])
    profile.mix {
      $0.info.title = "x"
      $0.list = [1]
    }
    profile.mix { $0.scores["bob"] = 1 }
    profile.mix { $0.list = [1] }
    profile.mix { $0.list = [] }
    #expect(log.take() == ["x [1]", "x []"])
    token.cancel()
    profile.mix { $0.list = [2] }
    #expect(log.take() == [])
  }

  @Test func `one key path, and one that is computed, give values, too`() {
    let tokens = [
      profile.observe(valuesOf: \.address) { [log] in log.append($0?.street ?? "nowhere") },
      profile.observe(valuesOf: \.headline) { [log] in log.append($0) },
      profile.observe(valuesOf: \.address?.number, \.headline) { [log] in log.append("\($0 ?? 0) \($1)") },
    ]
    #expect(log.take() == ["nowhere", "none!", "0 none!"])
    profile.mix { $0.address = Profile.Address() }
    #expect(Set(log.take()) == ["Elm", "7 none!"])
    profile.mix { $0.address?.street = "Oak" }
    #expect(log.take() == ["Oak"])
    profile.mix { $0.info.nest.foo = "y" }
    #expect(log.take() == [])
    withExtendedLifetime(tokens) {}
  }

  @Test func `a handler that mixes is notified of that after it has returned`() {
    let profile = profile
    let token = profile.observe(valuesOf: \.list) { [log] list in
      log.append("begin \(list.count)")
      if list.count < 3 { profile.mix { $0.list.append(0) } }
      log.append("end \(list.count)")
    }
    #expect(log.all == ["begin 0", "end 0", "begin 1", "end 1", "begin 2", "end 2", "begin 3", "end 3"])
    withExtendedLifetime(token) {}
  }

  @Test func `who begins inside of a reaction is not notified of that commit again`() {
    let profile = profile
    let tokens = Recorder<SubstanceObservation>()
    let outer = profile.observe(\.list) { [log] _, _ in
      if tokens.count > 0 { return }
      tokens.append(profile.observe(valuesOf: \.list) { [log] in log.append("\($0)") })
    }
    profile.mix { $0.list = [1] }
    profile.mix { $0.list = [2] }
    #expect(log.all == ["[1]", "[2]"])
    withExtendedLifetime(outer) {}
  }

  @Test func `who begins between a commit and its reactions is not notified of it again`() {
    let profile = profile
    let tokens = Recorder<SubstanceObservation>()
    withObservationTracking {
      _ = profile.list
    } onChange: { [log] in
      tokens.append(profile.observe(valuesOf: \.list) { [log] in log.append("\($0)") })
    }
    profile.mix { $0.list = [1] }
    profile.mix { $0.list = [2] }
    #expect(log.all == ["[1]", "[2]"])
  }

  @Test func `who begins inside of a mix gets the state before it, and then the change`() {
    let profile = profile
    let tokens = Recorder<SubstanceObservation>()
    profile.mix {
      $0.list = [1]
      tokens.append(profile.observe(valuesOf: \.list) { [log] in log.append("\($0)") })
    }
    #expect(log.all == ["[]", "[1]"])
  }

  @Test @MainActor
  func `on the main actor what is there is reported before the call returns, and all of it there`() async {
    let done = Signal()
    let token = profile.observe(valuesOf: \.list) { [log] list in
      MainActor.assertIsolated()
      log.append("\(list.count)")
      if list.count == 100 { done.fire() }
    }
    #expect(log.all == ["0"])
    await OtherThread.run { [profile] in
      for _ in 0..<100 { profile.mix { $0.list.append(0) } }
    }
    await done.wait()
    #expect(log.all == (0...100).map { "\($0)" })
    withExtendedLifetime(token) {}
  }

  @Test func `on another actor what is there is reported there, before what comes`() async {
    let done = Signal()
    let token = profile.observe(valuesOf: \.list) { @MainActor [log] list in
      MainActor.assertIsolated()
      log.append("\(list.count)")
      if list.count == 3 { done.fire() }
    }
    for _ in 0..<3 { profile.mix { $0.list.append(0) } }
    await done.wait()
    #expect(log.all == ["0", "1", "2", "3"])
    withExtendedLifetime(token) {}
  }

  @Test func `between what is there and what comes there is no gap, and nothing twice`() async {
    let tally = Substance(Tally())
    let rounds = Proof.count(500, full: 20_000)
    let wrong = Recorder<String>()
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        await OtherThread.run { for number in 1...rounds * 20 { tally.mix { $0.counter = number } } }
      }
      for _ in 0..<2 {
        group.addTask {
          await OtherThread.run {
            for _ in 0..<rounds {
              let heard = Recorder<Int>()
              let token = tally.observe(valuesOf: \.counter, \.text, isolation: nil) { counter, _ in
                heard.append(counter)
              }
              let first = heard.all.first ?? -1
              while heard.count < 4, tally.counter < rounds * 20 { sched_yield() }
              token.cancel()
              for (index, number) in heard.all.enumerated() where number != first + index {
                wrong.append("\(heard.all)")
                break
              }
              if first < 0 { wrong.append("nothing at once") }
            }
          }
        }
      }
    }
    #expect(wrong.all == [])
  }

  @Test func `what is cancelled before it is reported on another actor is not reported`() async {
    await MainActor.run {
      let profile = profile
      let log = log
      let tokens = Recorder<SubstanceObservation>()
      OtherThread.runBlocking {
        tokens.append(
          profile.observe(valuesOf: \.list, isolation: nil) { @MainActor list in log.append("\(list)") }
        )
      }
      for token in tokens.all { token.cancel() }
    }
    await mainActorIsDone()
    #expect(log.all == [])
  }
}
