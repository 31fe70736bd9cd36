@testable import FlaskActions
import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

/// Effects whose identifier comes from their action.
@Suite(.ownFlux) struct EffectIdentifierOfActionTests {
  struct Load: FluxAction {
    let client: String
    let number: Int
  }

  final class Loader: FluxMiddleware, @unchecked Sendable {
    let started = Recorder<String>()
    let ended = Recorder<String>()
    let gate = Signal()

    override init() {
      super.init()
      registerEffect(for: Load.self, id: { $0.client }, policy: .latest) { [unowned self] action, dispatch in
        started.append("\(action.client)\(action.number)")
        await gate.wait()
        ended.append("\(action.client)\(action.number)\(Task.isCancelled ? " cancelled" : "")")
      }
    }
  }

  @Test func `a policy counts the effects of one identifier alone`() async {
    let (loader, dispatcher) = (Loader(), FluxDispatcher())
    dispatcher.register(workers: [loader])
    let finished = ["a", "b", "a"].enumerated().map {
      dispatcher.dispatch(Load(client: $1, number: $0))
    }
    loader.gate.fire()
    for receipt in finished { await receipt.finished }
    let ended = loader.ended.all
    #expect(ended.contains("b1") && ended.contains("a2"))
    #expect(!ended.contains("a0"))
  }

  @Test func `the effects of one identifier are cancelled by it`() async {
    let (loader, dispatcher) = (Loader(), FluxDispatcher())
    dispatcher.register(workers: [loader])
    let receipts = ["a", "b"].map { dispatcher.dispatch(Load(client: $0, number: 1)) }
    loader.cancelEffects(id: "a")
    loader.gate.fire()
    for receipt in receipts { await receipt.finished }
    #expect(loader.ended.all.contains("b1"))
    #expect(!loader.ended.all.contains("a1"))
  }
}
