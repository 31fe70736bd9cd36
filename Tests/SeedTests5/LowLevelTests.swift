// swift-format-ignore-file
import Flask
import Testing

/// Seeds 000 and 001, “Low-level API” and “Flask API”: names listed without code, each called once.
@Suite(.environmentPerTest) struct LowLevelTests {

  struct AppState: State { var counter = 0 }

  enum EnvMixers: SubstanceMixer { case Login }

  class App: ReactiveSubstance<AppState, EnvMixers> {
    override func defineMixers() {
      define(mix: .Login) { (payload, react, abort) in
        self.prop.counter += payload?["step"] as? Int ?? 1
        react()
      }
    }
  }

  class Owner: FlaskReactor {
    func flaskReactions(reaction: FlaskReaction) { print("reaction to \(reaction.keys)") }
  }

  private let app = App()

  @Test func `purging the flux drops what waits`() {
    let lock = Flask.lock()
    Flask.applyMixer(EnvMixers.Login)
    Flask.purgeFluxQueue()
    lock.release()
    #expect(app.state.counter == 0)
  }

  @Test func `removing the locks lets the flux continue`() {
    _ = Flask.lock()
    _ = Flask.lock()
    Flask.applyMixer(EnvMixers.Login, payload: ["step": 5])
    #expect(app.state.counter == 0)
    Flask.removeLocks()
    #expect(app.state.counter == 5)
  }

  @Test func `a lock with a mixer and payload performs just that`() {
    Flask.lock(withMixer: EnvMixers.Login, payload: ["step": 3])
    Flask.applyMixer(EnvMixers.Login)
    #expect(app.state.counter == 3)
    Flask.removeLocks()
    #expect(app.state.counter == 4)
  }

  @Test func `the place of an operation is that of its call`() {
    let derived = Derived { [app] in
      Flask.performInFluxQueue { print("never") }; let line = #line
      return (app.state.counter, line)
    }
    let token = derived.observe { _, _ in }
    Flask.applyMixer(EnvMixers.Login)
    let fault = SnippetEnvironment.current.lastFault
    #expect(fault?.fileID.hasSuffix("LowLevelTests.swift") == true)
    #expect(fault?.line == UInt(derived.value.1))
    token.cancel()
  }

  @Test func `a reactor is attached, found and detached`() {
    let owner = Owner()
    Flask.attachReactor(to: owner, mixing: [app])
    Flask.getReactor(attachedTo: owner).mix(app) { $0.prop.counter = 1 }.react()
    Flask.detachReactor(from: owner)
    Flask.applyMixer(EnvMixers.Login)
    #expect(SnippetEnvironment.current.printed == [#"reaction to ["counter"]"#])
    #expect(SnippetEnvironment.current.faults.isEmpty)
  }

  @Test func `the reactor manager lists reactors and purges those without owner`() {
    var owner: TestOwner? = TestOwner()
    let reactor = owner.map { Flask.reactor(attachedTo: $0, mixing: app) }
    #expect(ReactorManager.reactors.contains { $0 === reactor })
    owner = nil
    // Another test that looks at all reactors may hold the owner for a moment.
    var tries = 100_000
    repeat {
      ReactorManager.purge()
      tries -= 1
    } while reactor?.isBound == true && tries > 0
    #expect(!ReactorManager.reactors.contains { $0 === reactor })
    #expect(reactor?.isBound == false)
  }

  @Test func `purging the flasks releases the reactors of living owners`() async {
    await #expect(processExitsWith: .success) {
      let owner = TestOwner()
      let substance = Flask.newSubstance(definedBy: AppState.self)
      let reactor = Flask.reactor(attachedTo: owner, mixing: substance)
      Flask.purgeFlasks()
      #expect(!reactor.isBound)
      #expect(ReactorManager.reactors.isEmpty)
      withExtendedLifetime(owner) {}
    }
  }

  @Test func `substances are made with and without a name`() {
    #expect(Flask.newSubstance(definedBy: AppState.self, named: "feed").name() == "feed")
    #expect(Flask.newSubstance(definedBy: AppState.self).state.counter == 0)
  }
}

extension LowLevelTests.App: @unchecked Sendable {}
