// swift-format-ignore-file
import Flask
import Testing

/// Seed 002.
@Suite(.environmentPerTest) struct TypedActionsTests {

  typealias Value = Int

  struct SomeState {
    var value = 0
    var other = ""
  }

  struct SomeAction: FluxAction { let value: Value }
  struct OtherAction: FluxAction {}
  struct ThirdAction: FluxAction {}
  struct IgnoredAction: FluxAction {}
  struct SomeOtherAction: FluxAction { let outcome: Value }

  enum RemoteAPI {
    static func sendRequest(value: Value, completion: @escaping @Sendable (Value) -> Void) {
      DispatchQueue.main.asyncAfter(deadline: .now()) { completion(value * 2) }
    }
  }

  final class AnalyticsLogger: FluxWorker {
    let environment = SnippetEnvironment.current

    func handle(_ action: any FluxAction, in pass: borrowing FluxPass) -> FluxNextAction {
      environment.print("\(type(of: action))")
      return .next()
    }
  }

enum Action {
    struct UpdateName: FluxAction {
        let name: String
    }
}

class SomeStore: FluxStore<SomeState> {

    init() {
        super.init(initialState: SomeState())

        registerReducer(for: SomeAction.self) { (state, action) in
            state.value = action.value
            return [\SomeState.value] // Reports which part of the state did change
        }
    }
}

class SomeMiddleware: FluxMiddleware {

    private weak var dispatcher: FluxDispatcher?
    
    init(dispatcher: FluxDispatcher) {
        self.dispatcher = dispatcher
        
        super.init()

        registerHandler(for: SomeAction.self) { [unowned self] (action) in
            self.performWork(value: action.value) // Start async work
            // Handler passes the same action to subsequent workers by default
        }
        
        registerComposer(for: OtherAction.self) { (action) in
            return .next(ThirdAction()) // Pass another action to subsequent workers
        }
        
        registerComposer(for: IgnoredAction.self) { (action) in
            return .stop() // Do not pass the action to subsequent workers
        }
    }
    
    private func performWork(value: Value) {
        RemoteAPI.sendRequest(value: value) { [weak self] in
            SomeOtherAction(outcome: $0).dispatch(with: self?.dispatcher)
        }
    }
}

  class NameStore: FluxStore<SomeState> {
    init() {
      super.init(initialState: SomeState())
      registerReducer(for: Action.UpdateName.self) { state, action in
        state.value += 1
        state.other = action.name
      }
    }
  }

  @Test @MainActor func `an action goes to the default dispatcher, on the main thread at once`() {
    let store = NameStore()
    FluxDispatcher.default.register(workers: [store])
    defer { FluxDispatcher.default.unregisterAll() }

Action.UpdateName(name: "Great Name").dispatch()

    #expect(store.state.other == "Great Name")
  }

  @Test func `workers hand actions on, replace and stop them`() {
let dispatcher = FluxDispatcher() 

dispatcher.register(workers: [SomeStore(), SomeMiddleware(dispatcher: dispatcher), AnalyticsLogger()])

SomeAction(value: Value()).dispatch(with: dispatcher)

    OtherAction().dispatch(with: dispatcher)
    IgnoredAction().dispatch(with: dispatcher)
    #expect(SnippetEnvironment.current.printed == ["SomeAction", "ThirdAction"])
    SnippetEnvironment.current.performDelayed()
    #expect(SnippetEnvironment.current.printed == ["SomeAction", "ThirdAction", "SomeOtherAction"])
  }

  @Test func `a store holds the state that its reducer made`() {
    let dispatcher = FluxDispatcher()
    let store = SomeStore()
    dispatcher.register(workers: [store])
    SomeAction(value: 7).dispatch(with: dispatcher)
    #expect(store.state.value == 7)
    #expect(SnippetEnvironment.current.faults == [])
  }

  @Test func `a dispatcher that was removed is no dispatcher`() {
    weak var dispatcher: FluxDispatcher?
    do {
      let made = FluxDispatcher()
      made.register(workers: [SomeMiddleware(dispatcher: made)])
      dispatcher = made
      SomeAction(value: 1).dispatch(with: dispatcher)
    }
    #expect(dispatcher == nil)
    SnippetEnvironment.current.performDelayed()
    #expect(SomeAction(value: 2).dispatch(with: dispatcher).outcomeIfKnown?.description == "aborted")
  }
}

extension TypedActionsTests.SomeStore: @unchecked Sendable {}
extension TypedActionsTests.SomeMiddleware: @unchecked Sendable {}
extension TypedActionsTests.NameStore: @unchecked Sendable {}
