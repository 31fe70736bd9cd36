// swift-format-ignore-file
import Flask
import XCTest

/// Seed 000, “Reactor”, the handler closure.
class ReactorTests: EnvironmentTestCase {

  struct AppState: State {
    enum prop: StateProp { case counter }
    var counter = 0
  }

  func testAHandlerHearsItsKey() {
    let owner = TestOwner()
    let substance = Flask.newSubstance(definedBy: AppState.self)
    let expectation = self.expectation(description: "counter")

    let reactor = Flask.reactor(attachedTo:owner,mixing:substance)
        
    reactor.handler={owner, reaction in
        reaction.on(AppState.prop.counter, { (change) in
            expectation.fulfill()
        })
    }

    reactor.mix(substance) { $0.prop.counter = 1 }.react()
    wait(for: [expectation], timeout: 2)
    withExtendedLifetime(owner) {}
  }
}
