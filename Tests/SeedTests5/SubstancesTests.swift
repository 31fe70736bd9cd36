// swift-format-ignore-file
import Flask
import Testing

/// Seed 000, “Substances” and “Mixers”.
@Suite(.environmentPerTest) struct SubstancesTests {

struct AppState : State {
    enum prop : StateProp{
        case counter
    }
    var counter = 0
}

class Feed : Substance<AppState> {}

enum Mixers : SubstanceMixer {
    case Login
}
class App : ReactiveSubstance<AppState,Mixers> {
    
    override func defineMixers(){
        define(mix: . Login) { (payload, react, abort)  in
            self.prop.counter = self.prop.counter + 1
            react()
        }
    }
    
}

  @Test func `a plain substance has the initial state`() {
    #expect(Feed().state.counter == 0)
  }

  @Test func `a reactive substance reacts to a global mixer`() {
    let app = App()
    Flask.substances(reactTo: Mixers.Login)
    Flask.substances(reactTo: Mixers.Login)
    #expect(app.state.counter == 2)
  }
}

extension SubstancesTests.Feed: @unchecked Sendable {}
extension SubstancesTests.App: @unchecked Sendable {}
