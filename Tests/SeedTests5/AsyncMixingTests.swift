// swift-format-ignore-file
import Dispatch
import Flask
import Testing

/// Seeds 000, 001 and 003, “Async Mixing with Locks”.
@Suite(.environmentPerTest) struct AsyncMixingTests {

  struct AppState: State {
    enum prop: StateProp { case counter, asyncResult }
    var counter = 0
    var asyncResult = ""
  }

  enum EnvMixers: SubstanceMixer { case AsyncAction }

  class App: ReactiveSubstance<AppState, EnvMixers> {
    override func defineMixers() {
      define(mix: .AsyncAction) { (payload, react, abort) in
        self.prop.asyncResult = "result"
        react()
      }
    }
  }

  class Owner: FlaskReactor {
    func flaskReactions(reaction: FlaskReaction) {
 reaction.on(AppState.prop.asyncResult) { (change) in
 
            //pass the reaction to an async block 
            
            DispatchQueue.main.asyncAfter(deadline: .now() + 2, execute: {
                //release when the operation is completed
                reaction.onLock?.release()
            });
            
   }
    }
  }

  @Test func `the flux is locked until the reaction releases it`() {
    let app = App()
    let owner = Owner()
    Flask.attachReactor(to: owner, mixing: app)

        Flask.lock(withMixer: EnvMixers.AsyncAction)

    #expect(app.state.asyncResult == "result")
    Flask.getReactor(attachedTo: owner).mix(app) { $0.prop.counter = 1 }.react()
    #expect(app.state.counter == 0)
    SnippetEnvironment.current.performDelayed()
    #expect(app.state.counter == 1)
    #expect(SnippetEnvironment.current.flux.locks.isEmpty)
  }
}

extension AsyncMixingTests.App: @unchecked Sendable {}
