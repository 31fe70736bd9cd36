// swift-format-ignore-file
import Flask
import Testing

/// Seed 004, “Other things to consider”.
@Suite(.environmentPerTest) struct SeveralSubstancesTests {

  struct AppState: State { var counter = 0 }

  class Owner: FlaskReactor {
    let app = Flask.newSubstance(definedBy: AppState.self)
    let settings = Flask.newSubstance(definedBy: AppState.self)
    let login = Flask.newSubstance(definedBy: AppState.self)

    func attach() {
Flask.attachReactor(to:self, mixing:[app,settings,login])
    }

    func flaskReactions(reaction: FlaskReaction) { print("reaction") }
  }

  @Test func `a reactor takes an array of substances`() {
    let owner = Owner()
    owner.attach()
    Flask.getReactor(attachedTo: owner)
      .mix(owner.app) { $0.prop.counter = 1 }
      .and(owner.settings) { $0.prop.counter = 1 }
      .and(owner.login) { $0.prop.counter = 1 }
      .react()
    #expect(SnippetEnvironment.current.printed == ["reaction", "reaction", "reaction"])
  }

  @Test func `a reactor goes with its owner`() {
    var owner: Owner? = Owner()
    owner?.attach()
    let reactor = owner.map { Flask.getReactor(attachedTo: $0) }
    #expect(reactor?.isBound == true)
    owner = nil
    // Another test that looks at all reactors may hold the owner for a moment.
    var tries = 100_000
    repeat {
      ReactorManager.purge()
      tries -= 1
    } while reactor?.isBound == true && tries > 0
    #expect(reactor?.isBound == false)
    #expect(SnippetEnvironment.current.faults.isEmpty)
  }
}
