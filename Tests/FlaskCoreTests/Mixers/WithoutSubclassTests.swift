import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

/// Reactive substances without a subclass.
@Suite(.ownFlux) struct WithoutSubclassTests {
  enum Mixers: SubstanceMixer { case add, fail, rename }
  enum Others: SubstanceMixer { case add }

  private func make(_ initial: Tally = Tally()) -> ReactiveSubstance<Tally, AnyMixer> {
    ReactiveSubstance(initial) { on in
      on(Mixers.add) { state, payload in state.counter += payload?["by"] as? Int ?? 1 }
      on(Others.add) { state, _ in state.counter += 100 }
      on(Mixers.fail) { state, _ in
        state.counter = 50
        throw Oops()
      }
    }
  }

  @Test func `mixers of several enums are answered`() async {
    let tally = make()
    #expect(
      "\(await Flask.substances(reactTo: Mixers.add, payload: ["by": 5]).outcome)" == "committed(counter)"
    )
    Flask.applyMixer(Mixers.add)
    #expect(tally.counter == 6)
    Flask.applyMixer(Others.add)
    #expect(tally.counter == 106)
  }

  @Test func `what a mixer throws discards the operation, also in other substances`() async {
    let (first, second) = (Clerk(), make())
    first.mix { $0.counter = 1 }
    #expect("\(await Flask.substances(reactTo: Mixers.fail).outcome)" == "failed(Oops())")
    #expect(second.counter == 0)
    #expect(first.counter == 1)
  }

  @Test func `it is not kept alive by its closures, and answers as long as it lives`() {
    weak var gone: ReactiveSubstance<Tally, AnyMixer>?
    do {
      let tally = make()
      gone = tally
      Flask.applyMixer(Mixers.add)
      #expect(tally.counter == 1)
    }
    #expect(gone == nil)
  }

  @Test func `a mixer that is defined twice, or outside, is a fault`() {
    let kept = Recorder<Int>()
    nonisolated(unsafe) var stray: MixerAnswers<Tally>?
    let tally = ReactiveSubstance(Tally()) { on in
      on(Mixers.add) { state, _ in state.counter += 1 }
      on(Mixers.add) { state, _ in state.counter += 10 }
      stray = on
    }
    #expect(FaultLog.takeKinds() == [.mixerDefinedTwice])
    stray?(Mixers.rename) { _, _ in kept.append(1) }
    #expect(FaultLog.takeKinds() == [.defineOutsideDefineMixers])
    stray = nil
    Flask.applyMixer(Mixers.add)
    #expect(tally.counter == 1)
    #expect(kept.all == [])
  }

  @Test func `while its state is borrowed prop is a fault`() {
    nonisolated(unsafe) weak var found: ReactiveSubstance<Tally, AnyMixer>?
    nonisolated(unsafe) var seen: Int?
    let tally = ReactiveSubstance(Tally()) { on in
      on(Mixers.add) { state, _ in
        state.counter = 7
        seen = found?.prop.counter
      }
    }
    found = tally
    Flask.applyMixer(Mixers.add)
    #expect(seen == 0)
    #expect(tally.counter == 7)
    #expect(FaultLog.takeKinds() == [.overlappingAccess])
  }
}
