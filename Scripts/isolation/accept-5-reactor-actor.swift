// Swift 5, no diagnostic
import Flask

struct AppState: State {
  enum prop: StateProp { case counter }
  var counter = 0
}

actor Recorder: FlaskReactorActor {
  private var heard: [Int] = []

  func flaskReactions(reaction: FlaskReaction) {
    reaction.on(AppState.prop.counter) { heard.append($0.newValue() ?? 0) }
    reaction.on(\AppState.counter) { heard.append($0.new) }
  }

  func attach(to substance: Substance<AppState>) { Flask.attachReactor(to: self, mixing: [substance]) }
}

func attach(_ recorder: Recorder, to substance: Substance<AppState>) {
  Flask.attachReactor(to: recorder, mixing: substance)
}
