#if DEBUG
  @testable import FlaskActions
  import Testing

  @testable import FlaskCore
  @testable import KernelFixtures
  @testable import ActionFixtures

  @Suite(.ownFlux) struct ClaimTests {
    private let dispatcher = FluxDispatcher()

    private func faults(
      of reducer: @escaping @Sendable (inout Profile, Ping) -> [PartialKeyPath<Profile>]
    ) -> [String] {
      let store = FluxStore(initialState: Profile(), name: "profile")
      store.registerReducer(for: Ping.self, reducer)
      dispatcher.register(workers: [store])
      Ping().dispatch(with: dispatcher)
      return FaultLog.current.take().map { "\($0.kind): \($0.message)" }
    }

    private let remedy = "; return the key paths that change, or nothing"

    @Test func `a right claim is no fault`() {
      let faults = faults { state, _ in
        state.list = [1]
        state.info.title = "x"
        return [\.list, \.info.title]
      }
      #expect(faults == [])
    }

    @Test func `a parent covers what is inside it`() {
      let faults = faults { state, _ in
        state.info.nest.foo = "x"
        return [\.info]
      }
      #expect(faults == [])
    }

    @Test func `a key that is claimed and did not change is a fault`() {
      let faults = faults { state, _ in [\.list] }
      #expect(
        faults == ["wrongClaim: the reducer of profile for Ping claims `list`, which did not change" + remedy]
      )
    }

    @Test func `a key that changed and is not claimed is a fault`() {
      let faults = faults { state, _ in
        state.list = [1]
        return []
      }
      #expect(
        faults == [
          "wrongClaim: the reducer of profile for Ping changes `list`, which it does not claim" + remedy
        ]
      )
    }

    @Test func `a computed property is taken on trust`() {
      let faults = faults { state, _ in
        state.info.title = "x"
        return [\.headline]
      }
      #expect(faults == [])
    }
  }
#endif
