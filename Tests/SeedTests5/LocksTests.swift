// swift-format-ignore-file
import Flask
import Testing

/// Seeds 000, 001 and 003, “Locks”.
@Suite(.environmentPerTest) struct LocksTests {

  struct AppState: State { var counter = 0 }

  @Test func `while the flux is locked mixes wait`() {
    let substance = Flask.newSubstance(definedBy: AppState.self)
    let owner = TestOwner()
    let reactor = Flask.reactor(attachedTo: owner, mixing: substance)

let lock = Flask.lock()
        
// perform operations while the flux is paused

    reactor.mix(substance) { $0.prop.counter = 1 }.react()
    #expect(substance.state.counter == 0)

lock.release()

    #expect(substance.state.counter == 1)
  }
}
