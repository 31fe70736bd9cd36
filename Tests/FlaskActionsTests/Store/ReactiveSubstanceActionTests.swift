@testable import FlaskActions
import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport
@testable import ActionFixtures

@Suite(.ownFlux) struct ReactiveSubstanceActionTests {
  enum Mixers: SubstanceMixer { case add }

  final class Board: ReactiveSubstance<Tally, Mixers>, @unchecked Sendable {
    override func defineMixers() {
      define(mix: .add) { _, react, _ in
        self.prop.counter += 1
        react()
      }
      define(mix: Rename.self) { action in self.prop.text += action.text }
      define(mix: Fail.self) { _ in
        self.prop.counter = 99
        throw Oops()
      }
    }
  }

  private let board = Board(name: "board")

  @Test func `a substance answers a typed action beside its mixers`() {
    Flask.dispatch(Rename(text: "x"))
    Flask.substances(reactTo: Mixers.add)
    #expect(board.state.text == "x")
    #expect(board.state.counter == 1)
  }

  @Test func `what the body throws discards the operation`() async {
    let receipt = Flask.dispatch(Fail())
    #expect(board.state.counter == 0)
    #expect(await receipt.outcome.description == "failed(Oops())")
  }

  @Test func `substances and stores of one action are committed together`() {
    let store = TallyStore()
    let flux = Flux.current
    flux.dispatcher.register(workers: [store])
    defer { flux.dispatcher.unregisterAll() }
    let heard = Recorder<String>()
    let token = store.observe(\.text, isolation: nil) { [board] _, new in
      heard.append("\(new) \(board.state.text)")
    }
    Flask.dispatch(Rename(text: "x"))
    #expect(heard.all == ["x x"])
    withExtendedLifetime(token) {}
  }

  @Test func `an action that was stopped does not reach substances`() {
    let flux = Flux.current
    flux.dispatcher.register(workers: [ActionLog("", Recorder()) { _ in .stop() }])
    defer { flux.dispatcher.unregisterAll() }
    Flask.dispatch(Rename(text: "x"))
    #expect(board.state.text == "")
  }

  @Test func `a substance registered as a worker is asked by that dispatcher, and once by the default one`() {
    let dispatcher = FluxDispatcher()
    dispatcher.register(workers: [board])
    Rename(text: "a").dispatch(with: dispatcher)
    #expect(board.state.text == "a")
    let flux = Flux.current
    flux.dispatcher.register(workers: [board])
    defer { flux.dispatcher.unregisterAll() }
    Flask.dispatch(Rename(text: "b"))
    #expect(board.state.text == "ab")
  }

  @Test func `another dispatcher does not reach substances by itself`() {
    Rename(text: "x").dispatch(with: FluxDispatcher())
    #expect(board.state.text == "")
    #expect(FaultLog.takeKinds() == .inDebugBuilds(.actionWithoutAnswer))
  }

  @Test func `a substance that defines actions goes when no one holds it`() {
    weak var gone: Board?
    do {
      let board = Board()
      gone = board
    }
    Flask.dispatch(Rename(text: "x"))
    #expect(gone == nil)
  }

  @Test func `one that is made with closures answers typed actions`() async {
    let tally = ReactiveSubstance<Tally, AnyMixer>(Tally()) { on in
      on(Search.self) { state, action in state.text = action.text }
    }
    #expect("\(await Flask.dispatch(Search(text: "new")).outcome)" == "committed(text)")
    #expect(tally.text == "new")
  }
}
