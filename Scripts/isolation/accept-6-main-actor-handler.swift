// Swift 6, no diagnostic
import Flask

struct AppState: State { var counter = 0 }

@MainActor final class Screen {
  private var heard: [Int] = []

  func attach(to substance: Substance<AppState>) {
    let reactor = Flask.reactor(attachedTo: self, mixing: substance)
    reactor.handler = { @MainActor owner, reaction in
      reaction.on(\AppState.counter) { owner.heard.append($0.new) }
    }
  }
}
