import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

/// A substance that mixes itself in its `deinit` would be retained while it is freed: by the queue, if the flux is busy
/// or locked, or by a listener on another isolation. So such a mix is refused, whatever the flux is doing.
@Suite(.ownFlux) struct MixInDeinitTests {
  enum Way: CaseIterable { case mix, mixOfTwo, mixOfPartsBehind, chain, chainBehind, rollback }

  enum Load: CaseIterable { case idle, busy, locked, heardElsewhere }

  final class Parting: Substance<Tally>, @unchecked Sendable {
    private let way: Way
    private let other: Substance<Tally>
    private let owner: Owner
    private let outcomes: Recorder<String>

    init(_ way: Way, besides other: Substance<Tally>, owner: Owner, outcomes: Recorder<String>) {
      self.way = way
      self.other = other
      self.owner = owner
      self.outcomes = outcomes
      super.init(Tally(), name: "parting")
      captureState()
    }

    deinit { outcomes.append("\(perform())") }

    private func perform() -> FluxReceipt {
      switch way {
      case .mix: mix { $0.counter += 1 }
      case .mixOfTwo:
        Flask.mix(self, other) {
          $0.counter += 1
          $1.counter += 1
        }
      case .mixOfPartsBehind:
        Flask.mix(other, self) {
          $0.counter += 1
          $1.counter += 1
        }
      case .chain: reactor.mix(self) { $0.prop.counter += 1 }.react()
      case .chainBehind:
        reactor.mix(other) { $0.prop.counter += 1 }.mix(self) { $0.prop.counter += 1 }.react()
      case .rollback: rollbackState()
      }
    }

    private var reactor: AnyReactor { Flask.getReactor(attachedTo: owner) }
  }

  @MainActor final class Listener {
    var token: SubstanceObservation?
    func listen(to substance: AnySubstance) { token = substance.observe(key: "counter") { _ in } }
  }

  @Test(arguments: Way.allCases, Load.allCases)
  func `a mix of a substance in its deinit is refused`(_ way: Way, _ load: Load) async {
    let other = Substance(Tally())
    let owner = Owner()
    let outcomes = Recorder<String>()
    var parting: Parting? = Parting(way, besides: other, owner: owner, outcomes: outcomes)
    weak let witness = parting
    if let parting { Flask.reactor(attachedTo: owner, mixing: [other, parting]) }
    let listener = Listener()
    if load == .heardElsewhere, let parting { await listener.listen(to: parting) }
    let lock = load == .locked ? Flask.lock() : nil
    let keeper = Recorder<Parting>()
    if let parting { keeper.append(parting) }
    parting = nil
    if load == .busy {
      other.mix { _ in _ = keeper.take() }
    } else {
      _ = keeper.take()
    }
    lock?.release()
    #expect(outcomes.all == ["FluxReceipt(aborted)"])
    #expect(FaultLog.takeKinds() == [.mixedInDeinit])
    #expect(witness == nil)
    #expect(other.state.counter == 0)
    withExtendedLifetime((listener, owner)) {}
  }

  @Test func `a substance may mix another one in its deinit`() {
    final class Parting: Substance<Tally>, @unchecked Sendable {
      let other: Substance<Tally>

      init(_ other: Substance<Tally>) {
        self.other = other
        super.init(Tally())
      }

      deinit { other.mix { $0.counter += 1 } }
    }
    let other = Substance(Tally())
    var parting: Parting? = Parting(other)
    parting?.mix { $0.counter = 1 }
    parting = nil
    #expect(other.state.counter == 1)
  }
}
