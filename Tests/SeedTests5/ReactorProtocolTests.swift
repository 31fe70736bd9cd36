// swift-format-ignore-file
import Flask
import Testing

/// Seed 000, “Reactor”, the `FlaskReactor` protocol. The document leaves out the brace that ends `flaskReactions`.
@Suite(.environmentPerTest) struct ReactorProtocolTests {

  struct AppState: State {
    enum prop: StateProp { case counter }
    var counter = 0
  }

  enum EnvMixers: SubstanceMixer { case Login }

  class AppReactiveSubstance: ReactiveSubstance<AppState, EnvMixers> {
    override func defineMixers() {
      define(mix: .Login) { (payload, react, abort) in
        self.prop.counter = 7
        react()
      }
    }
  }

  class Subs {
    static let appReactive = AppReactiveSubstance()
  }

  // Free in the document.
  static let substance = Flask.newSubstance(definedBy: AppState.self)

class ViewController: UIViewController, FlaskReactor  {

    func flaskReactions(reaction: FlaskReaction) {
        
        reaction.on(AppState.prop.counter) { (change) in
                print("counter = \(substance.state.counter)")
        }
    }

  override func viewDidLoad() {
       
        Flask.attachReactor(to:self, mixing:[substance, Subs.appReactive])
        
    }
}

  @MainActor @Test func `an owner of two substances hears both`() {
    let controller = ViewController()
    controller.viewDidLoad()
    Flask.getReactor(attachedTo: controller)
      .mix(ReactorProtocolTests.substance) { $0.prop.counter = 3 }
      .react()
    Flask.substances(reactTo: EnvMixers.Login)
    #expect(SnippetEnvironment.current.printed == ["counter = 3", "counter = 3"])
  }
}

extension ReactorProtocolTests.AppReactiveSubstance: @unchecked Sendable {}
