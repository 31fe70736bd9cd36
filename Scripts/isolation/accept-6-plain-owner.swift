// Swift 6, no diagnostic
import Flask

struct AppState: State { var counter = 0 }

final class Listener: FlaskReactor {
  private var heard: [Int] = []

  func attach(to substance: Substance<AppState>) {
    Flask.attachReactor(to: self, mixing: substance)
  }

  func flaskReactions(reaction: FlaskReaction) {
    reaction.on(\AppState.counter) { heard.append($0.new) }
  }
}

func hear(_ substance: Substance<AppState>, _ owner: Listener) {
  let reactor = Flask.reactor(attachedTo: owner, mixing: substance)
  reactor.handler = { owner, reaction in owner.flaskReactions(reaction: reaction) }
  reactor.mix(substance) { $0.prop.counter = 1 }.with(substance) { $0.prop.counter += 1 }.react()
}
