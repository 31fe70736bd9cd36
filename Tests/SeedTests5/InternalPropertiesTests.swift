// swift-format-ignore-file
import Flask
import Testing

/// Seeds 000, 001 and 003, “Internal state props”.
@Suite(.environmentPerTest) struct InternalPropertiesTests {

struct AppState : State {
    
    var _internal = "`_` use this prefix for internal vars "
    
}

  @Test func `a property with an underscore changes without reaction`() {
    let substance = Flask.newSubstance(definedBy: AppState.self)
    let owner = TestOwner()
    let reactor = Flask.reactor(attachedTo: owner, mixing: substance)
    reactor.handler = { owner, reaction in print("reaction") }
    reactor.mix(substance) { $0.prop._internal = "changed" }.react()
    #expect(substance.state._internal == "changed")
    #expect(SnippetEnvironment.current.printed.isEmpty)
  }
}
