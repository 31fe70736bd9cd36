// Swift 5 MainActor, no diagnostic
import Flask

struct AppState: State {
  enum prop: StateProp { case counter }
  var counter = 0
}
enum EnvMixers: SubstanceMixer { case Login }
nonisolated struct Search: FluxAction { let text: String }

nonisolated class Feed: Substance<AppState>, @unchecked Sendable {}

nonisolated class App: ReactiveSubstance<AppState, EnvMixers>, @unchecked Sendable {
  override func defineMixers() {
    define(mix: .Login) { payload, react, abort in
      self.prop.counter += 1
      react()
    }
    define(mix: Search.self) { action in self.prop.counter = action.text.count }
  }
}

nonisolated class Results: FluxStore<AppState>, @unchecked Sendable {
  init() {
    super.init(initialState: AppState())
    registerReducer(for: Search.self) { state, action in
      state.counter = action.text.count
      return [\AppState.counter]
    }
  }
}

nonisolated class Searcher: FluxMiddleware, @unchecked Sendable {
  override init() {
    super.init()
    registerHandler(for: Search.self) { [unowned self] action in cancelEffects(id: action.text) }
    registerEffect(for: Search.self, policy: .latest) { action, dispatch in dispatch(Search(text: "next")) }
  }
}

class Screen: FlaskReactor {
  let feed = Feed()
  let results = Results()
  private var heard = 0

  func flaskReactions(reaction: FlaskReaction) {
    reaction.on(AppState.prop.counter) { heard += $0.newValue() ?? 0 }
    reaction.at(feed)?.on(\AppState.counter) { heard = $0.new }
  }

  func attach() -> SubstanceObservation {
    Flask.attachReactor(to: self, mixing: feed)
    Flask.reactor(attachedTo: self, mixing: feed) { owner, reaction in owner.heard += self.heard }
    Flask.getReactor(attachedTo: self).mix(feed) { $0.prop.counter += 1 }.react()
    Search(text: "flask").dispatch()
    return results.observe(\.counter) { old, new in self.heard += new - old }
  }
}
