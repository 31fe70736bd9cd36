// swift-format-ignore-file
import Flask
import Testing

/// Seed 000, “Fluxor Style”.
@Suite(.environmentPerTest) struct FluxorStyleTests {

enum EnvMixers : SubstanceMixer {
    case Login
    case Logout
}

class Subs {
    static let appReactive = AppReactiveSubstance()
}

struct AppState : State {
    
    enum prop : StateProp{
        case counter, title
    }
    
    var counter = 0
    var title = ""
    
}

class AppReactiveSubstance : ReactiveSubstance<AppState,EnvMixers> {
    
    override func defineMixers(){
        
        define(mix: .Login) { (payload, react, abort)  in
            self.prop.title = "signed"
            react()
        }
    }  
}

class ViewController: UIViewController, FlaskReactor  {
       
    func flaskReactions(reaction: FlaskReaction) {
             
        reaction.on(AppState.prop.title) { (change) in
            print("global title = \(Subs.appReactive.state.title)")
        }
        
    }
 
    override func viewDidLoad() {
        
        Flask.attachReactor(to:self, mixing:[Subs.appReactive])
        produceTestReaction()
    }

    func produceTestReaction(){
    
        Flask.substances(reactTo:EnvMixers.Login, payload:["username":"foo"])
 
     }
}

  @MainActor @Test func `a global mixer changes a shared substance`() {
    ViewController().viewDidLoad()
    #expect(Subs.appReactive.state.title == "signed")
    #expect(SnippetEnvironment.current.printed == ["global title = signed"])
  }
}

extension FluxorStyleTests.AppReactiveSubstance: @unchecked Sendable {}
