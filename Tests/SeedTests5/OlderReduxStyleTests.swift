// swift-format-ignore-file
import Flask
import Testing

/// Seed 004, “Redux Style”.
@Suite(.environmentPerTest) struct OlderReduxStyleTests {

struct AppState : State{
    
    enum prop: StateProp{
        case counter, text
    }
    
    var counter = 0
    var text = ""
}

  @MainActor @Test func `the older names and the older protocol method work together`() {
    let scene: any OlderReduxScene = OlderReduxStyleTests()
    scene.play()
  }
}

/// Calls deprecated code from a test, which can't be deprecated itself.
@MainActor private protocol OlderReduxScene {
  func play()
}

extension OlderReduxStyleTests: OlderReduxScene {
  @available(*, deprecated, message: "Uses older names.")
  func play() {

class ViewController: UIViewController, FlaskReactor  {

    let substance = NewSubstance(definedBy: AppState.self)

    func flaskReactor(reaction: FlaskReaction) {
        
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

    let controller = ViewController()
    controller.viewDidLoad()
    #expect(controller.substance.state.counter == 10)
    #expect(controller.substance.state.text == "changed!")
    #expect(SnippetEnvironment.current.printed == ["counter = 10", "text = changed!"])
    Flask.detachReactor(from: controller)
    controller.produceTestReaction()
    #expect(SnippetEnvironment.current.printed == ["counter = 10", "text = changed!"])
    #expect(SnippetEnvironment.current.faults == [.noReactor])
  }
}
