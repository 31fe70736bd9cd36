// swift-format-ignore-file
import Flask
import Testing

/// Seeds 000, 001 and 003, “Chain Reactions”.
@Suite(.environmentPerTest) struct ChainsTests {

  struct AppState: State {
    var counter = 0
    var text = ""
  }

  class Owner: FlaskReactor {
    let substanceA = Flask.newSubstance(definedBy: AppState.self, named: "A")
    let substanceB = Flask.newSubstance(definedBy: AppState.self, named: "B")

    func flaskReactions(reaction: FlaskReaction) {
      reaction.at(substanceA)?.on("counter") { _ in
        print("A: \(substanceA.state.counter) and \(substanceB.state.text)")
      }
      reaction.at(substanceB)?.on("text") { _ in
        print("B: \(substanceA.state.counter) and \(substanceB.state.text)")
      }
    }

    func mixByTheHighLevelAPI() {
 Flask.getReactor(attachedTo:self)
            .mixing(self.substanceA) { (substance) in
                substance.prop.counter = 10
                
            }.with(self.substanceB) { (substance) in
                substance.prop.text = "text"
                
            }.andReact()
    }

    // Seeds 000 and 001.
    func mixByTheLowLevelAPI(_ reactorInstance: Reactor<Owner>) {
   reactorInstance
       .mix(self.substanceA) { (substance) in
            substance.prop.counter = 10
            
        }.mix(self.substanceB) { (substance) in
            substance.prop.text = "text"
            
        }.react()
    }

    // Seed 003.
    func mixByTheOlderLowLevelAPI(_ flaskInstance: Reactor<Owner>) {
   flaskInstance
       .mix(self.substanceA) { (substance) in
            substance.prop.counter = 10
            
        }.mix(self.substanceB) { (substance) in
            substance.prop.text = "text"
            
        }.react()
    }
  }

  private let owner = Owner()
  private let reactor: Reactor<Owner>

  init() {
    reactor = Flask.attachReactor(to: owner, mixing: [owner.substanceA, owner.substanceB])
  }

  @Test func `the high-level spelling mixes two substances in one step`() {
    owner.mixByTheHighLevelAPI()
    #expect(SnippetEnvironment.current.printed == ["A: 10 and text", "B: 10 and text"])
  }

  @Test func `the low-level spelling mixes two substances in one step`() {
    owner.mixByTheLowLevelAPI(reactor)
    #expect(SnippetEnvironment.current.printed == ["A: 10 and text", "B: 10 and text"])
  }

  @Test func `the older low-level spelling mixes two substances in one step`() {
    owner.mixByTheOlderLowLevelAPI(reactor)
    #expect(SnippetEnvironment.current.printed == ["A: 10 and text", "B: 10 and text"])
  }

  @Test func `aborting changes nothing`() {
    reactor.mix(owner.substanceA) { $0.prop.counter = 1 }.abort()
    reactor.mix(owner.substanceA) { $0.prop.counter = 1 }.andAbort()
    #expect(owner.substanceA.state.counter == 0)
    #expect(SnippetEnvironment.current.printed.isEmpty)
    #expect(SnippetEnvironment.current.faults.isEmpty)
  }
}
