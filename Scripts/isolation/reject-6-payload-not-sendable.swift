// Swift 6, error: type 'User' does not conform to the 'Sendable' protocol
import Flask

enum EnvMixers: SubstanceMixer { case Login }
class User {}

func login(_ user: User) {
  Flask.substances(reactTo: EnvMixers.Login, payload: ["user": user])
}
