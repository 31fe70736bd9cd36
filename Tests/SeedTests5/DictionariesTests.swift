// swift-format-ignore-file
import Flask
import Foundation
import Testing

/// Seeds 000 and 001, “NSObjects and Dictionaries” and “Nested Dictionary”.
@Suite(.environmentPerTest) struct DictionariesTests {

struct AppState : State {
    
    enum prop : StateProp{
        case info
    }
    
    var info:FlaskDictRef?
}

struct myState : State{
   var object = FlaskRef( NSObject() )
}

  @Test func `nested keys of a dictionary are heard of`() {
    let substance = Flask.newSubstance(definedBy: AppState.self)
    let owner = TestOwner()
    let reactor = Flask.reactor(attachedTo: owner, mixing: substance)
    reactor.handler = { owner, reaction in
 reaction.on("info.nest.data", { (change) in
      print(change.newValue()!)
 })
    }
 reactor.mix(substance){ (substance) in
 
          let data:NSDictionary = [
            "foo":"bar",
            "nest":[
                "data":"some"
            ]
            
        ]
        
       substance.prop.info = FlaskDictRef(data)
       
  }.react()
    #expect(SnippetEnvironment.current.printed == ["some"])
    #expect(substance.state.info?["foo"] as? String == "bar")
  }

  @Test func `a key changes when its pointer does`() {
    let substance = Flask.newSubstance(definedBy: myState.self)
    let owner = TestOwner()
    let reactor = Flask.reactor(attachedTo: owner, mixing: substance)
    reactor.handler = { owner, reaction in
      reaction.on("object") { _ in print("object") }
    }
    let object = NSObject()
    let first = FlaskRef(object)
    let second = FlaskRef(object)
    reactor.mix(substance) { $0.prop.object = first }.react()
    reactor.mix(substance) { $0.prop.object = second }.react()
    #expect(SnippetEnvironment.current.printed == ["object"])
    #expect(substance.state.object.object === object)
  }
}
