// Swift 6, no diagnostic
import Flask

struct AppState: State { var counter = 0 }

final class Plain: Sendable {
  func attach(to substance: Substance<AppState>) {
    Flask.reactor(attachedTo: self, mixing: substance) { owner, reaction in
      reaction.on(\AppState.counter) { print(owner, $0) }
    }
  }
}

@MainActor final class Screen {
  private var heard = 0

  func attach(to substance: Substance<AppState>) {
    Flask.reactor(attachedTo: self, mixing: substance) { owner, reaction in self.heard += owner.heard }
  }
}

actor Journal {
  private var heard = 0

  func attach(to substance: Substance<AppState>) {
    Flask.reactor(attachedTo: self, mixing: substance) { owner, reaction in self.heard += 1 }
  }
}
