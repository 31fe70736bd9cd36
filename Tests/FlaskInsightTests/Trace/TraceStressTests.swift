import Dispatch
import FlaskInsight
import Foundation
import Testing

@Suite struct TraceStressTests {
  private static let isFull = ProcessInfo.processInfo.environment["FLASK_FULL"] == "1"

  @Test func `four threads: numbers without gaps, right causes, no more than the capacity`() async {
    let count = Self.isFull ? 20_000 : 2_000
    let flux = Flux()
    let (cart, echo) = Flux.$current.withValue(flux) {
      (Substance(Tally(), name: "cart"), Substance(Tally(), name: "echo"))
    }
    let token = cart.observe(\.count) { _, new in echo.mix { $0.count = new } }
    let trace = Trace(of: flux, capacity: 8 * count + 10, values: .all)
    let small = Trace(of: flux, capacity: 100)
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<count { cart.mix { $0.count += 1 } }
    }
    await flux.idle()
    #expect(cart.count == 4 * count)
    #expect(echo.count == 4 * count)
    let records = trace.records
    #expect(records.map(\.number) == Array(1...8 * count + 2))
    #expect(small.count == 100)
    #expect(small.records.map(\.number) == Array(8 * count - 97...8 * count + 2))
    var wrong = 0
    for record in records where record.changes.first?.substance == "echo" {
      guard let number = record.cause?.operation, record.cause?.kind == .observer else {
        wrong += 1
        continue
      }
      let cause = records[number - 1]
      let isRight =
        cause.changes.first?.substance == "cart"
        && cause.changes.first?.keys.first?.new == record.changes.first?.keys.first?.new
        && cause.ended >= record.submitted && cause.begun <= record.submitted
      if !isRight { wrong += 1 }
    }
    #expect(wrong == 0)
    #expect(records.filter { $0.changes.first?.substance == "cart" }.allSatisfy { $0.cause == nil })
    #expect(records.allSatisfy { $0.submitted <= $0.begun && $0.begun <= $0.ended })
    withExtendedLifetime(token) {}
  }

  @Test func `traces come and go while four threads mix, and nothing is lost`() async {
    let count = Self.isFull ? 20_000 : 2_000
    let flux = Flux()
    let cart = Flux.$current.withValue(flux) { Substance(Tally(), name: "cart") }
    let told = Told()
    let token = cart.observe(\.count) { _, new in told.append("\(new)") }
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for number in 0..<count {
        if thread == 0 && number % 10 == 0 {
          let trace = Trace(of: flux, capacity: 4, values: .all)
          cart.mix { $0.count += 1 }
          #expect(trace.count <= 4)
        } else if thread == 1 && number % 100 == 0 {
          flux.withSomeLock { cart.mix { $0.count += 1 } }
        } else {
          cart.mix { $0.count += 1 }
        }
      }
    }
    await flux.idle()
    #expect(cart.count == 4 * count)
    #expect(told.all == (1...4 * count).map(String.init))
    #expect(flux.waitingCount == 0)
    withExtendedLifetime(token) {}
  }
}

extension Flux {
  /// Returns when what waits has been performed, and what that has submitted.
  fileprivate func idle() async {
    for _ in 1...2 { _ = await performInFluxQueue {}.outcome }
  }

  fileprivate func withSomeLock(_ body: () -> Void) {
    let lock = lock()
    body()
    lock.release()
  }
}
