// Swift 5, no diagnostic
import Flask

struct AppState: State { var counter = 0 }

@MainActor class Controller {}

class Screen: Controller, FlaskReactor {
  let substance = Flask.newSubstance(definedBy: AppState.self)
  var heard = 0

  func flaskReactions(reaction: FlaskReaction) { heard += 1 }

  func attach() {
    let reactor = Flask.attachReactor(to: self, mixing: substance)
    reactor.handler = { owner, reaction in owner.heard += 1 }
    reactor.handler = { @MainActor owner, reaction in owner.heard += 1 }
    Flask.reactor(attachedTo: self, mixing: [substance]) { owner, reaction in self.heard += 1 }
    reactor.mix(substance) { $0.prop.counter = self.heard }.react()
  }
}
