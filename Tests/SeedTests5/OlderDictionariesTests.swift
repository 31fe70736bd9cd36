// swift-format-ignore-file
import Flask
import Foundation
import Testing

/// Seed 003, “Nested Dictionary”.
@Suite(.environmentPerTest) struct OlderDictionariesTests {

struct AppState : State {
    
    enum prop : StateProp{
        case info
    }
    
    var info:FlaskDictRef?
}

  @available(*, deprecated, message: "Uses older names.")
  @Test func `nested keys of a dictionary are heard of`() {
    let substance = NewSubstance(definedBy: AppState.self)
    let owner = TestOwner()
    let flask = Flask.instance(attachedTo: owner, mixing: substance)
    flask.reactor = { owner, reaction in
 reaction.on("info.nest.data", { (change) in
      print(change.newValue()!)
 })
    }
 flask.mix(substance){ (substance) in
 
          let data:NSDictionary = [
            "foo":"bar",
            "nest":[
                "data":"some"
            ]
            
        ]
        
       substance.prop.info = FlaskDictRef(data)
       
  }.react()
    #expect(SnippetEnvironment.current.printed == ["some"])
  }
}
