// Swift 6, no diagnostic
import Flask

struct AppState: State { var counter = 0 }

@MainActor final class Screen: @MainActor FlaskReactor {
  let substance = Flask.newSubstance(definedBy: AppState.self)
  private var heard: [Int] = []

  func attach() { Flask.attachReactor(to: self, mixing: [substance]) }

  func flaskReactions(reaction: FlaskReaction) {
    reaction.on(\AppState.counter) { heard.append($0.new) }
  }

  func change(to counter: Int) {
    Flask.getReactor(attachedTo: self).mix(substance) { $0.prop.counter = counter }.react()
  }
}
