import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

@Suite(.ownFlux) struct SubstanceTests {
  @Test func `substances without names have different names`() {
    let names = (0..<3).map { _ in Substance<Tally>().name() }
    #expect(Set(names).count == 3)
    #expect(names.allSatisfy { $0.hasPrefix("Substance<Tally>#") })
  }

  @Test func `a substance can be named when it is made, and later`() {
    let feed = Flask.newSubstance(definedBy: Tally.self, named: "feed")
    #expect(feed.name() == "feed")
    feed.name(as: "news")
    #expect(feed.name() == "news")
  }

  @Test func `the keys are those of the state, nested ones after their parent`() {
    #expect(
      Substance<Profile>().keys == [
        "info", "info.nest", "info.nest.foo", "info.nest.bar", "info.nest._secret", "info.title", "address",
        "scores", "list",
      ]
    )
  }

  @Test func `during a mix the state is the last committed one, and prop the draft`() {
    let tally = Watched<Tally>()
    tally.mix {
      $0.prop.counter = 5
      #expect($0.state.counter == 0)
      #expect($0.prop.counter == 5)
    }
    #expect(tally.substance.state.counter == 5)
  }

  @Test func `four threads lose no update`() async {
    let rounds = Workload.count(10_000, full: 50_000)
    let tally = Watched<Tally>()
    await OtherThread.run(times: 4) { _ in
      for _ in 0..<rounds { tally.mix { $0.prop.counter += 1 } }
    }
    _ = await tally.mix { _ in }.outcome
    #expect(tally.substance.state.counter == 4 * rounds)
    #expect(tally.heard.count == 4 * rounds)
  }

  @Test func `readers on other threads see whole states`() async {
    let tally = Watched<Tally>()
    let stop = Recorder<Bool>()
    async let torn: Int = OtherThread.run {
      var torn = 0
      while stop.count == 0 {
        let state = tally.substance.state
        if state.text != String(repeating: "x", count: state.counter) { torn += 1 }
      }
      return torn
    }
    await OtherThread.run {
      for round in 1...5000 {
        tally.mix {
          $0.prop.counter = round % 50
          $0.prop.text = String(repeating: "x", count: round % 50)
        }
      }
    }
    stop.append(true)
    #expect(await torn == 0)
  }
}

extension SubstanceTests {
  @Test func `readers on other threads never see a draft`() async {
    let rounds = Workload.count(20_000, full: 500_000)
    let tally = Watched<Tally>()
    let stop = Recorder<Bool>()
    let drafts = Recorder<Int>()
    async let reading: Void = OtherThread.run(times: 3) { _ in
      while stop.count == 0 {
        for _ in 0..<100 where tally.substance.state.counter < 0 { drafts.append(1) }
      }
    }
    await OtherThread.run {
      for round in 1...rounds {
        tally.mix { tally in
          // Long enough for a reader who looks at the wrong box to find it so.
          for step in 0..<100 { tally.prop.counter = -1 - step }
          tally.prop.counter = round
        }
      }
    }
    stop.append(true)
    await reading
    #expect(drafts.all == [])
  }
}
