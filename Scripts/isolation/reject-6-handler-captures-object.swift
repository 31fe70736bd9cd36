// Swift 6, error: capture of 'self' with non-Sendable type 'Listener' in a '@Sendable' closure
import Flask

struct AppState: State { var counter = 0 }

final class Listener {
  var count = 0

  func hear(_ substance: Substance<AppState>, _ owner: AnyObject) {
    let reactor = Flask.reactor(attachedTo: owner, mixing: substance)
    reactor.handler = { owner, reaction in self.count += 1 }
  }
}
