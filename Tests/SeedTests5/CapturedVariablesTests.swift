import Flask
import Testing

#if !swift(>=6)
  /// What the seeds' closures were free to do: change variables and objects that they capture. Swift 6 mode rejects it.
  @Suite(.environmentPerTest) struct CapturedVariablesTests {
    struct AppState: State { var counter = 0 }

    final class Owner { var heard: [Int] = [] }

    @Test func `closures of Swift 5 mode change what they capture`() {
      let substance = Flask.newSubstance(definedBy: AppState.self)
      let owner = Owner()
      var mixes = 0
      var reactions = 0
      let reactor = Flask.reactor(attachedTo: owner, mixing: substance)
      reactor.handler = { owner, reaction in
        reactions += 1
        owner.heard.append(substance.state.counter)
      }
      for next in [5, 6] {
        reactor.mix(substance) { substance in
          mixes += 1
          substance.prop.counter = next
        }.with(substance) { _ in
          mixes += 10
        }.react()
      }
      Flask.performInFluxQueue { mixes += 100 }
      #expect(mixes == 122)
      #expect(reactions == 2)
      #expect(owner.heard == [5, 6])
    }

    @Test func `a trailing handler of Swift 5 mode changes what it captures`() {
      let substance = Flask.newSubstance(definedBy: AppState.self)
      let owner = Owner()
      var reactions = 0
      let reactor = Flask.reactor(attachedTo: owner, mixing: [substance]) { owner, reaction in
        reactions += 1
      }
      reactor.mixing(substance) { $0.prop.counter = 1 }.andReact()
      #expect(reactions == 1)
    }

    @MainActor @Test func `a handler written on the main actor knows its isolation`() throws {
      let substance = Flask.newSubstance(definedBy: AppState.self)
      let owner = Owner()
      let reactor = Flask.reactor(attachedTo: owner, mixing: [substance])
      reactor.handler = { @MainActor owner, reaction in owner.heard.append(1) }
      reactor.mix(substance) { $0.prop.counter = 1 }.react()
      #expect(owner.heard == [1])
      let handler = try #require(reactor.handler)
      #expect(handler.isolation === MainActor.shared)
      reactor.handler = nil
      reactor.mix(substance) { $0.prop.counter = 2 }.react()
      #expect(owner.heard == [1])
    }
  }
#endif
