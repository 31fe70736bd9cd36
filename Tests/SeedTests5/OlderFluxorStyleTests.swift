// swift-format-ignore-file
import Flask
import Testing

/// Seed 004, “Fluxor Style”.
@Suite(.environmentPerTest) struct OlderFluxorStyleTests {

enum EnvMixers : SubstanceMixer {
    case Login
    case Logout
}

class Subs {
    static let appReactive = AppReactiveSubstance()
}

struct AppState : State {
    
    enum prop : StateProp{
        case counter, title, asyncResult
    }
    
    var counter = 0
    var title = ""
    
    var object:FlaskNSRef? // reference to NSObject
    var map:FlaskDictRef?  // NSDictionary wrapper for nested changes
    
    var _internal = "use underscore to ignore var changes"
    
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
       
    func flaskReactor(reaction: FlaskReaction) {
             
      // if no name conflicts the .at(store) may be skipped
        reaction.on(AppState.prop.title) { (change) in
            print("global title = \(Subs.appReactive.state.title)")
        }
        
    }

    override func viewDidLoad() {
        
        Flask.attachReactor(to:self, mixing:[Subs.appReactive])
      
    }
}

#if swift(>=6)
  // What a payload carries is Sendable.
  final class User: Sendable {}
#else
  class User {}
#endif

  @MainActor @Test func `mixers are applied from anywhere`() {
    let controller = ViewController()
    controller.viewDidLoad()
    let userObject = User()

 Flask.substances(reactTo:EnvMixers.Login)
 
 //or
 
 Flask.applyMixer(EnvMixers.Login, payload:["user":userObject])
 Flask.applyMixer(EnvMixers.Logout)

    #expect(Subs.appReactive.state.title == "signed")
    #expect(SnippetEnvironment.current.printed == ["global title = signed"])
    #expect(SnippetEnvironment.current.faults.isEmpty)
  }
}

extension OlderFluxorStyleTests.AppReactiveSubstance: @unchecked Sendable {}
