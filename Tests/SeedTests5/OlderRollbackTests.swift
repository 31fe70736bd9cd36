#if !swift(>=6)
  import Flask
  import Testing

  /// A rollback with a completion, as the tests of Flask 1.x have it, on the main actor in Swift 5 mode.
  @Suite(.environmentPerTest) struct OlderRollbackTests {
    struct AppState: State { var counter = 0 }

    @MainActor @Test func `the completion of a rollback comes after it, and changes variables of the caller`()
    {
      let rollback: any OlderRollback = Rollback()
      #expect(rollback.play() == ["mixed 1", "rolled back to 0", "locked: 2", "released: 0"])
    }
  }

  @MainActor private protocol OlderRollback {
    func play() -> [String]
  }

  /// Calls deprecated code from a test, which can't be deprecated itself.
  @MainActor private struct Rollback: OlderRollback {
    @available(*, deprecated)
    func play() -> [String] {
      var said: [String] = []
      let substance = Substance<OlderRollbackTests.AppState>()
      @MainActor func say(_ text: String) { said.append(text) }
      substance.captureState()
      substance.mix { $0.counter = 1 }
      say("mixed \(substance.state.counter)")
      substance.rollbackState { say("rolled back to \(substance.state.counter)") }
      substance.mix { $0.counter = 2 }
      let lock = Flask.lock()
      substance.rollbackState { say("released: \(substance.state.counter)") }
      say("locked: \(substance.state.counter)")
      lock.release()
      return said
    }
  }
#endif
