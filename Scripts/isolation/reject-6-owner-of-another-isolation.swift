// Swift 6, error: type 'Account' does not conform to the 'Sendable' protocol
import Flask

struct AppState: State { var counter = 0 }

final class Account { var balance = 0 }

func read(_ reactor: Reactor<Account>) -> Int { reactor.owner?.balance ?? 0 }
