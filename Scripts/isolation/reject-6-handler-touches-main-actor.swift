// Swift 6, error: main actor-isolated property 'count' can not be mutated from a Sendable closure
import Flask

struct AppState: State { var counter = 0 }

@MainActor final class Screen { var count = 0 }

func hear(_ substance: Substance<AppState>, _ screen: Screen) {
  let reactor = Flask.reactor(attachedTo: screen, mixing: substance)
  reactor.handler = { owner, reaction in owner.count += 1 }
}
