// Swift 6, no diagnostic
import Flask

struct AppState: State {
  var title = ""
  var n = 0
}

struct Profile: State { var n = 0 }

// What is read by dynamic lookup is read through a `KeyPath`, and has one word on all that can be read.
func read(_ substance: Substance<AppState>, _ other: Substance<Profile>, _ derived: Derived<Profile>) {
  let path: KeyPath<Substance<AppState>, String> = \.title
  print(substance[keyPath: path], [substance].map(\.title), substance.title.count)
  let values: (AppState, Int, Profile) = (substance.value, substance.scope(\.n).value, derived.value)
  print(values)
}

func readTogether(_ a: Substance<AppState>, _ b: Substance<Profile>, _ derived: Derived<Profile>) {
  print(Flask.snapshot(a, b).0.n)
  print(Flask.snapshot(a, b, derived).2.n)
  let first: Int = Flask.snapshot(a, b).0.n
  let (state, profile) = Flask.snapshot(a, b)
  let (_, _, _, last) = Flask.snapshot(a, b, derived, derived)
  print(first, state.n, profile.n, last.n)
}
