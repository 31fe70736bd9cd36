import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

/// Who is mixed may be let go of by everybody at any moment: in the closure, in a reaction, while it waits.
@Suite(.ownFlux) struct MixLifetimeTests {
  /// The only reference to a substance. Changed on one thread.
  private final class Keeper: @unchecked Sendable {
    var substance: Substance<Tally>?
    private(set) weak var witness: Substance<Tally>?

    init() {
      substance = Substance(Tally())
      witness = substance
    }
  }

  @Test func `a substance may be released by the closure that mixes it`() async {
    let keeper = Keeper()
    let receipt = keeper.substance?.mix {
      keeper.substance = nil
      $0.counter = 1
    }
    #expect("\(String(describing: await receipt?.outcome))".contains("counter"))
    #expect(keeper.witness == nil)
  }

  @Test func `a substance may be released by who is notified of a mix`() {
    let keeper = Keeper()
    let heard = Recorder<Int>()
    let token = keeper.substance?.observe(\.counter) {
      keeper.substance = nil
      heard.append($1)
    }
    keeper.substance?.mix { $0.counter = 1 }
    withExtendedLifetime(token) {}
    #expect(heard.all == [1])
    #expect(keeper.witness == nil)
  }

  @Test func `a substance may be released by its transaction, which returns all the same`() async throws {
    let keeper = Keeper()
    let number = try await keeper.substance?.transaction { state in
      keeper.substance = nil
      state.counter += 1
      return state.counter
    }
    #expect(number == 1)
    #expect(keeper.witness == nil)
  }

  @Test func `a substance may be released by who is notified of its transaction`() async throws {
    let keeper = Keeper()
    let heard = Recorder<Int>()
    let token = keeper.substance?.observe(\.counter) {
      keeper.substance = nil
      heard.append($1)
    }
    let number = try await keeper.substance?.transaction { state in
      state.counter = 1
      return state.counter
    }
    withExtendedLifetime(token) {}
    #expect(number == 1)
    #expect(heard.all == [1])
    #expect(keeper.witness == nil)
  }

  @Test func `a substance may be released by a transaction that throws`() async {
    let keeper = Keeper()
    await #expect(throws: Oops.self) {
      try await keeper.substance?.transaction { state in
        keeper.substance = nil
        state.counter = 1
        throw Oops()
      }
    }
    #expect(keeper.witness == nil)
  }

  @Test func `what waits holds its substance, and releases it when it has been performed`() {
    let keeper = Keeper()
    let (lock, heard) = (Flask.lock(), Recorder<Int>())
    keeper.substance?.mix { state in
      state.counter = 1
      heard.append(state.counter)
    }
    keeper.substance = nil
    #expect(keeper.witness != nil)
    #expect(heard.all.isEmpty)
    lock.release()
    #expect(heard.all == [1])
    #expect(keeper.witness == nil)
  }

  @Test func `what is purged releases its substance`() {
    let keeper = Keeper()
    let lock = Flask.lock()
    keeper.substance?.mix { $0.counter = 1 }
    keeper.substance = nil
    Flask.purgeFluxQueue()
    lock.release()
    #expect(keeper.witness == nil)
  }

  @Test func `a flux of one's own may be released by the last mix on it`() {
    let keeper = Flux.$current.withValue(Flux()) { Keeper() }
    weak let flux = keeper.substance?.flux
    keeper.substance?.mix {
      keeper.substance = nil
      $0.counter = 1
    }
    #expect(flux == nil)
  }

  @Test func `a transaction that throws gives the flux back, and changes nothing`() async {
    let substance = Substance(Tally())
    await #expect(throws: Oops.self) {
      try await substance.transaction { state in
        state.counter = 1
        throw Oops()
      }
    }
    #expect(substance.state.counter == 0)
    substance.mix { $0.counter += 2 }
    #expect(substance.state.counter == 2)
  }

  @Test func `what a transaction has others mix comes after it`() async throws {
    let (substance, order) = (Substance(Tally()), Recorder<String>())
    let token = substance.observe(\.counter) { order.append("\($0) → \($1)") }
    let found = try await substance.transaction { state in
      substance.mix { $0.counter += 10 }
      state.counter += 1
      return state.counter
    }
    #expect(found == 1)
    #expect(order.all == ["0 → 1", "1 → 11"])
    withExtendedLifetime(token) {}
  }

  @Test func `a transaction from where another flux is the current one runs under its own`() async throws {
    let substance = Substance(Tally())
    let own = substance.flux
    let isOwn = try await Flux.$current.withValue(Flux()) {
      try await substance.transaction { state in
        state.counter = 1
        return Flux.current === own
      }
    }
    #expect(isOwn)
    #expect(substance.state.counter == 1)
  }
}
