@testable import FlaskPrimitives
@testable import FlaskActions
import FlaskArchive
import FlaskCore
import Testing

@testable import FlaskInsight
@testable import KernelFixtures

private struct Pile: FlaskState { var count = 0 }
private struct Refused: Error {}
private struct Secret: FluxAction, Redacted { let text: String }

/// Marks that a test reads.
private final class NotedMarks: IntervalMarks {
  let noted = Lock<[String]>([])
  let isOn = Lock(true)
  var isEnabled: Bool { isOn.withLock { $0 } }

  func begin(_ title: String) -> String {
    noted.withLock { $0.append("begins \(title)") }
    return title
  }

  func end(_ interval: String, _ outcome: String) {
    noted.withLock { $0.append("ends \(interval): \(outcome)") }
  }
}

@Suite struct IntervalTracerTests {
  private let flux = Flux()
  private let marks = NotedMarks()
  private let tracer: IntervalTracer<NotedMarks>
  private let pile: Substance<Pile>
  /// Without the lines, which change with this file.
  private var noted: [String] {
    marks.noted.withLock { $0.map { $0.replacing(/:[0-9]+/, with: "") } }
  }

  init() {
    flux.expect([.errorDropped])
    tracer = IntervalTracer(marks, RedactionRules([]))
    pile = Flux.$current.withValue(flux) { Substance(Pile(), name: "pile") }
    flux.tracers.add(tracer)
  }

  @Test func `each operation is an interval with its outcome, and what it causes comes after it`() {
    let token = pile.observe(\.count) { [pile] _, new in if new == 1 { pile.mix { $0.count = 2 } } }
    pile.mix { $0.count = 1 }
    pile.mix { _ in throw Refused() }
    token.cancel()
    let place = "mix at FlaskInsightTests/IntervalTracerTests.swift"
    #expect(
      noted == [
        "begins \(place)", "ends \(place): committed", "begins \(place)", "ends \(place): committed",
        "begins \(place)", "ends \(place): failed(Refused)",
      ]
    )
  }

  @Test func `nothing is made while no one looks, and an operation that began then does not end`() {
    marks.isOn.withLock { $0 = false }
    pile.mix { pile in
      pile.count = 1
      marks.isOn.withLock { $0 = true }
    }
    #expect(noted == [])
    pile.mix { $0.count = 2 }
    #expect(noted.count == 2)
  }

  @Test func `what is dropped while it waits is no interval`() {
    let lock = flux.lock()
    pile.mix { $0.count = 1 }
    flux.purgeFluxQueue()
    lock.release()
    #expect(noted == [])
  }

  @Test func `the name of a secret action is in none`() {
    let store = Flux.$current.withValue(flux) { FluxStore(initialState: Pile()) }
    store.registerReducer(for: Secret.self) { state, _ in state.count += 1 }
    flux.dispatcher.register(workers: [store])
    Secret(text: "hidden").dispatch(with: flux.dispatcher)
    flux.dispatcher.unregisterAll()
    #expect(noted.count == 2)
    #expect(noted.allSatisfy { !$0.contains("Secret") && !$0.contains("hidden") })
  }
}
