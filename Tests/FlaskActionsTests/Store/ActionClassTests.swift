@testable import FlaskActions
import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

/// Actions that are objects answer by their own class, whatever they are handed on as.
@Suite(.ownFlux) struct ActionClassTests {
  private class Animal: FluxAction, @unchecked Sendable { let name = "animal" }
  private final class Dog: Animal, @unchecked Sendable { let bark = "woof" }
  private struct Word: FluxAction { let text: String }

  private let heard = Recorder<String>()

  private func store() -> FluxStore<Tally> {
    let store = FluxStore(initialState: Tally())
    store.registerReducer(for: Dog.self) { state, dog in state.text += dog.bark + dog.name }
    store.registerReducer(for: Animal.self) { state, animal in state.text += animal.name }
    store.registerReducer(for: Word.self) { state, word in state.text += word.text }
    return store
  }

  @Test func `an object is reduced as what it is`() {
    let store = store()
    let dispatcher = FluxDispatcher()
    dispatcher.register(workers: [store])
    let animals: [Animal] = [Dog(), Animal()]
    for animal in animals { dispatcher.dispatch(animal) }
    let actions: [any FluxAction] = [Dog(), Animal(), Word(text: "!")]
    for action in actions { dispatcher.dispatch(action) }
    #expect(store.state.text == "woofanimal" + "animal" + "woofanimal" + "animal" + "!")
  }

  @Test func `a middleware answers an object as what it is`() {
    let middleware = FluxMiddleware()
    middleware.registerHandler(for: Dog.self) { [heard] in heard.append($0.bark) }
    middleware.registerHandler(for: Animal.self) { [heard] in heard.append($0.name) }
    let dispatcher = FluxDispatcher()
    dispatcher.register(workers: [middleware])
    let animals: [Animal] = [Dog(), Animal()]
    for animal in animals { dispatcher.dispatch(animal) }
    #expect(heard.all == ["woof", "animal"])
  }

  @Test func `a store may learn to answer while it answers, for many types`() async {
    let store = store()
    let dispatcher = FluxDispatcher()
    dispatcher.register(workers: [store])
    await OtherThread.run(times: 2) { thread in
      for _ in 0..<500 {
        if thread == 0 {
          dispatcher.dispatch(Word(text: "x"))
        } else {
          store.registerReducer(for: Word.self) { _, _ in }
        }
      }
    }
    _ = await dispatcher.dispatch(Word(text: "")).outcome
    #expect(store.state.text.count == 500)
    #expect(FaultLog.takeKinds() == Array(repeating: .answerRegisteredTwice, count: 500))
  }
}
