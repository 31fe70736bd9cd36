// Swift 5, no diagnostic
import Flask

enum EnvMixers: SubstanceMixer { case Login }
class User {}

func login(_ user: User) {
  Flask.substances(reactTo: EnvMixers.Login, payload: ["user": user])
  Flask.applyMixer(EnvMixers.Login, payload: ["user": user, "name": "foo"])
  Flask.lock(withMixer: EnvMixers.Login, payload: ["user": user]).release()
  Flask.bus.lock(withMixer: EnvMixers.Login, payload: ["user": user], autorelease: true).release()
  Flask.substances(reactTo: EnvMixers.Login)
  Flask.applyMixer(EnvMixers.Login, payload: nil)
}
