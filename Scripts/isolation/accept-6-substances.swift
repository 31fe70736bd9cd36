// Swift 6, no diagnostic
import Flask

struct AppState: State { var counter = 0 }
enum EnvMixers: SubstanceMixer { case Login }

class Feed: Substance<AppState>, @unchecked Sendable {}

class App: ReactiveSubstance<AppState, EnvMixers>, @unchecked Sendable {
  override func defineMixers() {
    define(mix: .Login) { payload, react, abort in
      guard let step = payload?["step"] as? Int else { return abort() }
      self.prop.counter += step
      react()
    }
  }
}

func login(_ app: App) async {
  Flask.substances(reactTo: EnvMixers.Login, payload: ["step": 1])
  let lock = Flask.lock(withMixer: EnvMixers.Login)
  Task { lock.release() }
  Task { print(app.state.counter) }
}
