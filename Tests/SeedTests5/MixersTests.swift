// swift-format-ignore-file
import Flask
import Testing

/// Seed 000, “Mixers”.
@Suite(.environmentPerTest) struct MixersTests {

  struct AppState: State {
    var counter = 0
    var text = ""
    var user = ""
  }

  enum EnvMixers: SubstanceMixer { case Login }

  class App: ReactiveSubstance<AppState, EnvMixers> {
    override func defineMixers() {
      define(mix: .Login) { (payload, react, abort) in
        self.prop.user = payload?["username"] as? String ?? ""
        react()
      }
    }
  }

  class Owner: FlaskReactor {
    var substance: Substance<AppState>?

    func flaskReactions(reaction: FlaskReaction) {
      print("reaction to \(reaction.keys)")
    }

    func mix() {
 Flask.getReactor(attachedTo:self)
            .mixing(self.substance!) { (substance) in
                substance.prop.counter = 10
            }.with(self.substance!) { (substance) in
                substance.prop.text = "text"
            }.andReact()
    }
  }

  @Test func `a global mixer brings its payload`() {
    let app = App()

  Flask.substances(reactTo:EnvMixers.Login, payload:["username":"foo"])

    #expect(app.state.user == "foo")
  }

  @Test func `a flask mixer changes two properties and reacts once`() {
    let substance = Flask.newSubstance(definedBy: AppState.self)
    let owner = Owner()
    owner.substance = substance
    Flask.attachReactor(to: owner, mixing: substance)
    owner.mix()
    #expect(substance.state.counter == 10)
    #expect(substance.state.text == "text")
    #expect(SnippetEnvironment.current.printed == [#"reaction to ["counter", "text"]"#])
  }
}

extension MixersTests.App: @unchecked Sendable {}
