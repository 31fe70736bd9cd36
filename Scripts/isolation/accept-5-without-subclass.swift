// Swift 5, no diagnostic
import Flask

struct Session: State {
  var user: String?
  var logins = 0
}
enum EnvMixers: SubstanceMixer { case Login, Logout }
struct Rename: FluxAction { let name: String }

@MainActor let session = ReactiveSubstance(Session()) { on in
  on(EnvMixers.Login) { state, payload in
    state.user = payload?["user"] as? String
    state.logins += 1
  }
  on(EnvMixers.Logout) { state, _ in state.user = nil }
  on(Rename.self) { state, action in state.user = action.name }
}

@MainActor let kept = ReactiveSubstance(Session(), name: "session", archive: true) { on in
  on(EnvMixers.Logout) { state, _ in state.user = nil }
}

@MainActor func logIn() {
  Flask.applyMixer(EnvMixers.Login, payload: ["user": "ada"])
  Rename(name: "Ada").dispatch()
  print(session.logins, kept.user ?? "nobody")
}
