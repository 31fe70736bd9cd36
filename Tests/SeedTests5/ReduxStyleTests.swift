// swift-format-ignore-file
import Flask
import Testing

/// Seed 000, “Redux Style”.
@Suite(.environmentPerTest) struct ReduxStyleTests {

struct AppState : State{
    
    enum prop: StateProp{
        case counter, text
    }
    
    var counter = 0
    var text = ""
}

class ViewController: UIViewController, FlaskReactor  {
    // Free in the document.
    let substance = Flask.newSubstance(definedBy: AppState.self)
   
    func flaskReactions(reaction: FlaskReaction) {
        
        reaction.on(AppState.prop.counter) { (change) in
            print("counter = \(substance.state.counter)")
        }
        reaction.on(AppState.prop.text) { (change) in
            print("text = \(substance.state.text)")
        }
        
    }
   
    override func viewDidLoad() {
        
        Flask.attachReactor(to:self, mixing:[substance])
        produceTestReaction()
    }

    func produceTestReaction(){
        
        Flask.getReactor(attachedTo:self)
            .mixing(self.substance) { (substance) in
                substance.prop.counter = 10
            }.with(self.substance) { (substance) in
                substance.prop.text = "changed!"
            }.andReact()
        
    }

}

  @MainActor @Test func `a chain changes both properties before its reaction`() {
    let controller = ViewController()
    controller.viewDidLoad()
    #expect(controller.substance.state.counter == 10)
    #expect(controller.substance.state.text == "changed!")
    #expect(SnippetEnvironment.current.printed == ["counter = 10", "text = changed!"])
  }
}
