// Swift 6, no diagnostic
import Flask

struct AppState: State { var counter = 0 }

actor Journal {
  private var heard: [Int] = []
  private var count = 0

  func attach(to substance: Substance<AppState>) {
    Flask.reactor(attachedTo: self, mixing: [substance]) { owner, reaction in
      self.count += 1
      reaction.on(\AppState.counter) { self.heard.append($0.new) }
    }
  }

  func change(_ substance: Substance<AppState>, to counter: Int) async -> FluxOutcome {
    let reactor = Flask.getReactor(attachedTo: self)
    return await reactor.mix(substance) { $0.prop.counter = counter }.react().outcome
  }
}
