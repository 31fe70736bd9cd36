// Swift 6, no diagnostic
import Flask

struct AppState: State { var counter = 0 }

@globalActor actor Shelf { static let shared = Shelf() }

@Shelf final class Library: @Shelf FlaskReactor {
  private var heard = 0

  func flaskReactions(reaction: FlaskReaction) { heard += 1 }

  func attach(to substance: Substance<AppState>) {
    Flask.attachReactor(to: self, mixing: substance)
    Flask.reactor(attachedTo: self, mixing: [substance]) { owner, reaction in owner.heard += self.heard }
    Flask.getReactor(attachedTo: self).mix(substance) { $0.prop.counter += 1 }.react()
  }

  func observe(_ substance: Substance<AppState>) -> SubstanceObservation {
    substance.observe(\.counter) { _, new in self.heard = new }
  }
}
