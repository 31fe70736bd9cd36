// Swift 5, no diagnostic
import Flask

struct AppState: State { var counter = 0 }

final class Owner {
  var heard = 0

  func hear(_ substance: Substance<AppState>) {
    var mixes = 0
    let reactor = Flask.reactor(attachedTo: self, mixing: substance)
    reactor.handler = { owner, reaction in
      mixes += 1
      self.heard += 1
    }
    reactor.mix(substance) { _ in mixes += 1 }
      .mix(substance) { _ in self.heard += 1 }
      .mixing(substance) { _ in mixes += 1 }
      .with(substance) { _ in mixes += 1 }
      .and(substance) { _ in mixes += 1 }
      .react()
    reactor.mixing(substance) { _ in mixes += 1 }.abort()
    Flask.performInFluxQueue { mixes += 1 }
    Flask.bus.performInFluxQueue { mixes += 1 }
    Flask.reactor(attachedTo: self, mixing: [substance]) { owner, reaction in mixes += 1 }
    let lock = Flask.lock()
    lock.onRelease = { _ in mixes += 1 }
    lock.release()
    print(mixes)
  }
}
