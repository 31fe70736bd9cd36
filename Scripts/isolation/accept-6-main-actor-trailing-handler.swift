// Swift 6, no diagnostic
import Flask

struct AppState: State { var counter = 0 }

@MainActor final class Screen {
  let substance = Flask.newSubstance(definedBy: AppState.self)
  private var heard: [Int] = []
  private var count = 0

  func attach() {
    Flask.reactor(attachedTo: self, mixing: [substance]) { owner, reaction in
      reaction.on(\AppState.counter) { owner.heard.append($0.new) }
      self.count += 1
    }
  }
}
