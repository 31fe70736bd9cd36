import CoreMetrics
import FlaskCore
import FlaskDistributedTracing
import FlaskHistory
import FlaskInsight
import FlaskLogging
import FlaskMetrics
import InMemoryLogging
import InMemoryTracing
import Logging
import MetricsTestKit
import Testing
import Tracing

private struct Basket: FlaskState {
  var count = 0
  var total = 0
  var secret = Secret(text: "in-the-clear")
}

private struct Secret: Redacted, Codable { var text: String }
private struct Refused: Error {}

/// A mix, one that its observer submits, one that changes nothing, one that fails.
private func perform(in flux: Flux) {
  let basket = Flux.$current.withValue(flux) { Substance(Basket(), name: "basket") }
  let token = basket.observe(\.count) { old, new in if new != old { basket.mix { $0.total = new } } }
  basket.mix { $0.count = 1 }
  basket.mix { $0.count = 1 }
  basket.mix { _ in throw Refused() }
  basket.mix { $0.secret.text = "still-in-the-clear" }
  token.cancel()
}

/// Waits until something is so, which another task brings about.
private func until(_ isSo: () -> Bool) async { while !isSo() { await Task.yield() } }

@Suite struct BridgesTests {
  @Test func `each operation is a line of the log, with what it was as metadata`() async {
    let flux = Flux()
    let handler = InMemoryLogHandler()
    var logger = Logger(label: "flux") { _ in handler }
    logger.logLevel = .trace
    let logging = OperationLogging(to: logger, of: flux, values: .all)
    perform(in: flux)
    await until { handler.entries.count == 5 }
    logging.stop()
    let entries = handler.entries
    #expect(entries.map(\.level) == [.debug, .debug, .debug, .warning, .debug])
    #expect("\(entries[0].message)".hasPrefix("mix at BridgesTests/BridgesTests.swift:"))
    #expect(entries[0].metadata["flask.outcome"] == "committed")
    #expect(entries[0].metadata["flask.keys"] == ["basket.count 0 → 1"])
    #expect(entries[0].metadata["flask.cause"] == nil)
    #expect(entries[1].metadata["flask.cause"] == "1")
    #expect(entries[1].metadata["flask.keys"] == ["basket.total 0 → 1"])
    #expect(entries[2].metadata["flask.outcome"] == "unchanged")
    #expect(entries[3].metadata["flask.outcome"] == "failed(Refused)")
    #expect(entries.allSatisfy { !"\($0)".contains("in-the-clear") })
  }

  @Test func `operations are counted by kind and outcome, and measured`() async throws {
    let flux = Flux()
    let metrics = TestMetrics()
    let bridge = OperationMetrics(of: flux, factory: metrics)
    perform(in: flux)
    await until { metrics.counterTotal(label: "flask_operations") == 5 }
    bridge.stop()
    func count(_ outcome: String) throws -> Int64 {
      try metrics.expectCounter("flask_operations", [("kind", "mix"), ("outcome", outcome)]).totalValue
    }
    #expect(try count("committed") == 3)
    #expect(try count("unchanged") == 1)
    #expect(try count("failed") == 1)
    let timer = try metrics.expectTimer("flask_operation_duration", [("kind", "mix")])
    await until { timer.values.count == 5 }
    #expect(timer.values.allSatisfy { $0 > 0 })
    #expect(metrics.counters(label: "flask_operations").count == 3)
  }

  @Test func `a name that a client makes of what a user has written is no label`() async throws {
    let flux = Flux()
    let metrics = TestMetrics()
    let bridge = OperationMetrics(of: flux, factory: metrics)
    let basket = Flux.$current.withValue(flux) { Substance(Basket(), name: "basket") }
    let history = Flux.$current.withValue(flux) { History(of: basket) }
    for number in 1...100 { history.mix("Rename to \(number)") { basket.prop.count = number } }
    await until { metrics.counterTotal(label: "flask_operations") == 100 }
    bridge.stop()
    #expect(metrics.timers(label: "flask_operation_duration").count == 1)
  }

  @Test func `each operation is a span below that of its cause`() async throws {
    let flux = Flux()
    let tracer = InMemoryTracer()
    let before = DefaultTracerClock.now.nanosecondsSinceEpoch
    let spans = OperationSpans(to: tracer, of: flux)
    perform(in: flux)
    await until { tracer.finishedSpans.count == 5 }
    let after = DefaultTracerClock.now.nanosecondsSinceEpoch
    spans.stop()
    let finished = tracer.finishedSpans
    #expect(finished.map(\.operationName) == ["mix", "mix", "mix", "mix", "mix"])
    #expect(finished[0].parentSpanID == nil)
    #expect(finished[1].parentSpanID == finished[0].spanID)
    #expect(finished[1].traceID == finished[0].traceID)
    #expect(finished[2].parentSpanID == nil)
    #expect(finished[3].status?.code == .error)
    #expect(finished[0].attributes.get("flask.number") == .int64(1))
    for span in finished {
      // The two clocks are read one after the other: a millisecond is between them at most.
      #expect(span.startInstant.nanosecondsSinceEpoch + 1_000_000 >= before)
      #expect(span.startInstant.nanosecondsSinceEpoch <= span.endInstant.nanosecondsSinceEpoch)
      #expect(span.endInstant.nanosecondsSinceEpoch <= after + 1_000_000)
    }
  }
}
