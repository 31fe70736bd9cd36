// Swift 6, error: value of type 'Scope<Profile>' has no dynamic member 'state' using key path from root type 'Profile'
import Flask

struct Profile: State { var name = "" }

func read(_ scope: Scope<Profile>) {
  print(scope.state.name)
}
