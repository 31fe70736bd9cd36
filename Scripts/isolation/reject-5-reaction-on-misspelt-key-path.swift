// Swift 5, error: value of type 'AppState' has no member 'cuont'
import Flask

struct AppState: State { var counter = 0 }

func hear(_ reaction: FlaskReaction) {
  reaction.on(\AppState.cuont) { change in print(change.old, change.new) }
}
