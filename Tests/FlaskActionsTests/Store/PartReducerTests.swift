@testable import FlaskActions
import FlaskEntities
import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport
@testable import ActionFixtures

/// Reducers of a part of the state.
@Suite(.ownFlux) struct PartReducerTests {
  struct RowTapped: FluxAction { let row: Int }
  struct Renamed: FluxAction { let name: String }
  struct Aged: FluxAction { let who: String }
  struct Noted: FluxAction { let age: Int }

  final class Store: FluxStore<AppState>, @unchecked Sendable {
    init() {
      super.init(initialState: AppState(rows: [AppState.Row(id: 1), AppState.Row(id: 2)]))
      registerReducer(for: RowTapped.self, at: \.rows, id: \.row) { row, action in row.title += "tapped" }
      registerReducer(for: Renamed.self, at: \.profile) { profile, action in
        profile.name = action.name
        if action.name.isEmpty { throw Oops() }
      }
      registerReducer(for: Aged.self, at: \.people, key: \.who) { person, action in person.age += 1 }
      registerReducer(for: Noted.self, at: \.detail) { detail, action in detail.age = action.age }
      registerReducer(for: Add.self) { state, action in
        state.people["ada"] = AppState.Profile(name: "Ada", age: action.amount)
        state.detail = AppState.Profile()
      }
    }
  }

  private let store = Store()
  private let dispatcher = FluxDispatcher()

  init() { dispatcher.register(workers: [store]) }

  private func outcome(of action: any FluxAction) async -> String {
    "\(await dispatcher.dispatch(action).outcome)"
  }

  @Test func `an action changes the element that it names`() async {
    #expect(await outcome(of: RowTapped(row: 2)) == "committed(rows)")
    #expect(store.rows.map(\.title) == ["", "tapped"])
  }

  @Test func `nothing happens if there is no such element, entry or content`() async {
    #expect(await outcome(of: RowTapped(row: 3)) == "unchanged")
    #expect(await outcome(of: Aged(who: "ada")) == "unchanged")
    #expect(await outcome(of: Noted(age: 3)) == "unchanged")
    #expect(store.state == AppState(rows: [AppState.Row(id: 1), AppState.Row(id: 2)]))
  }

  @Test func `an entry and the content of an optional are changed in place`() async {
    _ = await outcome(of: Add(amount: 36))
    #expect(await outcome(of: Aged(who: "ada")) == "committed(people)")
    #expect(await outcome(of: Noted(age: 3)) == "committed(detail)")
    #expect(store.people == ["ada": AppState.Profile(name: "Ada", age: 37)])
    #expect(store.detail == AppState.Profile(name: "nobody", age: 3))
  }

  @Test func `what a reducer of a part throws discards the action`() async {
    #expect(await outcome(of: Renamed(name: "Ada")) == "committed(profile, profile.name)")
    #expect(await outcome(of: Renamed(name: "")) == "failed(Oops())")
    #expect(store.profile.name == "Ada")
  }

  @Test func `a type has one reducer, of a part or of the whole`() {
    store.registerReducer(for: RowTapped.self) { state, action in state.count = 1 }
    #expect(FaultLog.takeKinds() == [.answerRegisteredTwice])
  }

  struct Fleet: FlaskState {
    struct Plane: Codable, Identifiable, Equatable, Sendable {
      let id: String
      var flights = 0
    }

    var planes: Entities<Plane> = [Plane(id: "N1"), Plane(id: "N2"), Plane(id: "N3")]
  }

  struct Landed: FluxAction { let plane: String }

  @Test func `an action changes the element of entities that it names, wherever it is`() async {
    let store = FluxStore(initialState: Fleet())
    store.registerReducer(for: Landed.self, at: \.planes, id: \.plane) { plane, action in
      plane.flights += 1
      if action.plane == "N3" { throw Oops() }
    }
    store.registerReducer(for: Add.self) { state, action in state.planes.move(id: "N2", to: action.amount) }
    let dispatcher = FluxDispatcher()
    dispatcher.register(workers: [store])
    func outcome(of action: any FluxAction) async -> String {
      "\(await dispatcher.dispatch(action).outcome)"
    }
    #expect(await outcome(of: Landed(plane: "N2")) == "committed(planes)")
    #expect(await outcome(of: Add(amount: 0)) == "committed(planes)")
    #expect(await outcome(of: Landed(plane: "N2")) == "committed(planes)")
    #expect(store.planes.map(\.flights) == [2, 0, 0])
    #expect(await outcome(of: Landed(plane: "N9")) == "unchanged")
    #expect(await outcome(of: Landed(plane: "N3")) == "failed(Oops())")
    #expect(store.planes.map(\.flights) == [2, 0, 0])
  }
}
