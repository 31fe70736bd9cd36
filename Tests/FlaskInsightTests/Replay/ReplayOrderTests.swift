import FlaskActions
import FlaskCore
import FlaskInsight
import Foundation
import TestSupport
import Testing

private struct Place: Hashable, Codable, Sendable {
  var row = 0
  var column = 0
}

private struct Tags: Codable, Sendable {
  var tags: Set<String> = []
  var places: [Place: Int] = [:]
  var count = 0
}

private struct AddTag: FluxAction, Codable { var number = 0 }
private struct SignIn: FluxAction, Codable { var count = 0 }

/// States whose encoding has any order, and actions whose names are hidden.
@Suite struct ReplayOrderTests {
  private func made(capacity: Int, _ more: Int = 0) -> FluxStore<Tags> {
    let store = FluxStore(initialState: Tags(), name: "tags")
    store.registerReducer(for: AddTag.self) { state, action in
      var tags = Set<String>(minimumCapacity: capacity)
      for tag in state.tags.sorted() { tags.insert(tag) }
      tags.insert("tag \(action.number)")
      state.tags = tags
      state.places[Place(row: action.number, column: capacity)] = nil
      state.places[Place(row: action.number)] = action.number + more
    }
    store.registerReducer(for: SignIn.self) { state, action in state.count = action.count + more }
    Flux.current.dispatcher.register(workers: [store])
    return store
  }

  private func recorded(
    redacting: [Redaction] = [],
    _ body: (Flux, FluxStore<Tags>) -> Void
  ) async throws -> Recording {
    let (file, flux) = (try RecordingFile(), Flux())
    let store = Flux.$current.withValue(flux) { made(capacity: 1) }
    let recorder = try Recorder(to: file.url, of: flux, beginningWith: [store], redacting: redacting)
    body(flux, store)
    await recorder.stop()
    flux.dispatcher.unregisterAll()
    return try Recording(contentsOf: file.url)
  }

  @Test func `an equal set in another order is no difference`() async throws {
    let recording = try await recorded { flux, _ in
      for number in 0..<20 { AddTag(number: number).dispatch(with: flux.dispatcher) }
    }
    let report = try await recording.replay(actions: [AddTag.self]) { [made(capacity: 5_000)] }
    #expect(report.difference == nil)
    #expect(report.performed == 20)
    let other = try await recording.replay(actions: [AddTag.self]) { [made(capacity: 5_000, 1)] }
    #expect(other.difference != nil)
  }

  /// Whoever observes the tags signs in.
  private func observed(_ store: FluxStore<Tags>, _ flux: Flux, count: Int = 1) -> SubstanceObservation {
    store.observe(\.tags, isolation: nil) { _, _ in SignIn(count: count).dispatch(with: flux.dispatcher) }
  }

  @Test func `an action whose type was hidden is found again, and not named`() async throws {
    let tokens = Recorder<SubstanceObservation>()
    let recording = try await recorded(redacting: [.type(SignIn.self)]) { flux, store in
      tokens.append(observed(store, flux))
      AddTag(number: 1).dispatch(with: flux.dispatcher)
    }
    for redacting in [[], [Redaction.type(SignIn.self)]] {
      let report = try await recording.replay(actions: [AddTag.self, SignIn.self], redacting: redacting) {
        let store = made(capacity: 1)
        tokens.append(observed(store, .current))
        return [store]
      }
      #expect(report.difference == nil, "\(report)")
      let other = try await recording.replay(actions: [AddTag.self, SignIn.self], redacting: redacting) {
        let store = made(capacity: 1)
        tokens.append(
          store.observe(\.tags, isolation: nil) { [dispatcher = Flux.current.dispatcher] _, _ in
            SignIn(count: 9).dispatch(with: dispatcher)
          }
        )
        return [store]
      }
      #expect(other.difference != nil)
      #expect(!"\(other)".contains("SignIn"), "\(other)")
    }
    withExtendedLifetime(tokens) {}
  }
}
