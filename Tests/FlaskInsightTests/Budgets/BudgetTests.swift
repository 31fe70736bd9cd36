import FlaskPrimitives
import Dispatch
import FlaskInsight
import Foundation
import Synchronization
import Testing
@testable import KernelFixtures
import TestSupport

/// Keeps the faults of a flux.
private final class Faults: Sendable {
  private let all = Mutex<[FlaskFault]>([])
  var descriptions: [String] { all.withLock { $0.map(\.description) } }
  func listen(to flux: Flux) { flux.onFault = { fault in self.all.withLock { $0.append(fault) } } }
}

private func spin(for duration: Duration) {
  let start = ContinuousClock.now
  while ContinuousClock.now - start < duration {}
}

@Suite struct BudgetTests {
  private let flux = Flux()
  private let faults = Faults()
  private let clock = ManualClock()

  private func cart() -> Substance<Tally> {
    faults.listen(to: flux)
    return Flux.$current.withValue(flux) { Substance(Tally(), name: "cart") }
  }

  /// Moves the clock on by intervals, until it has been looked at each time.
  private func advance(by duration: Duration, in steps: Int) async {
    for _ in 0..<steps {
      await clock.sleeping(1)
      clock.advance(by: duration / steps)
    }
    await clock.sleeping(1)
  }

  @Test func `an operation over its budget is a fault that names place and cause, once`() throws {
    let cart = cart()
    let watch = BudgetWatch(
      Budgets(operation: .milliseconds(1), lock: nil, waiting: nil),
      of: flux,
      clock: clock
    )
    let token = cart.observe(\.count) { _, _ in
      cart.mix(fileID: "A/A.swift", line: 2) { state in
        spin(for: .milliseconds(2))
        state.name = "x"
      }
    }
    let start = ContinuousClock.now
    for _ in 1...2 { cart.mix(fileID: "A/A.swift", line: 1) { $0.count += 1 } }
    let all = ContinuousClock.now - start
    // On a machine that is busy the other operation may take as long.
    let texts = faults.descriptions.filter { $0.hasPrefix("A/A.swift:2: ") }
    #expect(texts.count == 1)
    let text = try #require(texts.first)
    #expect(text.hasPrefix("A/A.swift:2: Flask fault (overBudget): mix at A/A.swift:2, in an observer took "))
    #expect(text.hasSuffix(" seconds, more than its budget of 0.001 seconds"))
    let words = text.split(separator: " ")
    let seconds = try #require(words.firstIndex(of: "took").flatMap { Double(words[$0 + 1]) })
    #expect(seconds >= 0.002 && .seconds(seconds) <= all)
    #expect(cart.state.name == "x")
    withExtendedLifetime((watch, token)) {}
  }

  @Test func `an operation that does not end is a fault while it continues`() async {
    let cart = cart()
    let watch = BudgetWatch(
      Budgets(operation: .milliseconds(400), lock: nil, waiting: nil),
      of: flux,
      clock: clock
    )
    // On a thread of its own: what blocks a thread of the pool may wait for one that waits for it.
    let ended = DispatchSemaphore(value: 0)
    let (isIn, enter) = AsyncStream.makeStream(of: Void.self)
    let (isOut, leave) = AsyncStream.makeStream(of: Void.self)
    Thread.detachNewThread {
      cart.mix(fileID: "A/A.swift", line: 1) { state in
        enter.finish()
        ended.wait()
        state.count = 1
      }
      leave.finish()
    }
    for await _ in isIn {}
    await advance(by: .milliseconds(600), in: 6)
    #expect(
      faults.descriptions == [
        "A/A.swift:1: Flask fault (overBudget): mix at A/A.swift:1 is in progress for longer than its budget of 0.4 seconds, "
          + "and everything else waits for it"
      ]
    )
    ended.signal()
    for await _ in isOut {}
    #expect(cart.count == 1)
    #expect(faults.descriptions.count == 1)
    watch.stop()
  }

  @Test func `a lock held for longer than its budget is a fault, once`() async {
    let cart = cart()
    let watch = BudgetWatch(Budgets(operation: nil, lock: .seconds(4), waiting: nil), of: flux, clock: clock)
    let lock = flux.lock(fileID: "A/A.swift", line: 7)
    cart.mix { $0.count = 1 }
    await advance(by: .seconds(4), in: 4)
    #expect(faults.descriptions == [])
    await advance(by: .seconds(8), in: 8)
    #expect(
      faults.descriptions == [
        "A/A.swift:7: Flask fault (overBudget): the lock taken at A/A.swift:7 is held for longer than its budget of 4.0 seconds, "
          + "and 1 operations wait for it; call `release()` on every way out, or use `Flask.withLock`"
      ]
    )
    #expect(cart.count == 0)
    lock.release()
    #expect(cart.count == 1)
    watch.stop()
  }

  @Test func `a queue that has grown beyond its budget is a fault, once until it has shrunk`() {
    let cart = cart()
    let watch = BudgetWatch(Budgets(operation: nil, lock: nil, waiting: 2), of: flux, clock: clock)
    for round in 1...2 {
      let lock = flux.lock(fileID: "A/A.swift", line: 7)
      for line in 1...5 as ClosedRange<UInt> { cart.mix(fileID: "A/A.swift", line: line) { $0.count += 1 } }
      lock.release()
      #expect(
        faults.descriptions
          == Array(
            repeating:
              "A/A.swift:3: Flask fault (overBudget): 3 operations wait for the lock taken at A/A.swift:7, more than the budget of 2; "
              + "the last one is mix at A/A.swift:3",
            count: round
          )
      )
    }
    #expect(cart.count == 10)
    watch.stop()
  }

  @Test func `a lock that no one can release any more is a fault as soon as something waits for it`() {
    let cart = cart()
    let watch = BudgetWatch(.none, of: flux, clock: clock)
    _ = flux.lock(fileID: "A/A.swift", line: 7)
    #expect(faults.descriptions == [])
    for _ in 1...2 { cart.mix { $0.count += 1 } }
    #expect(
      faults.descriptions == [
        "A/A.swift:7: Flask fault (lockAbandoned): the lock taken at A/A.swift:7 is held and can't be released any more, since nothing "
          + "refers to it; keep what `lock()` returns, pass a timeout, or use `Flask.withLock`"
      ]
    )
    flux.removeLocks()
    #expect(cart.count == 2)
    watch.stop()
  }

  @Test func `a lock that no one can release any more is found without anyone waiting`() async {
    let cart = cart()
    let watch = BudgetWatch(.none, of: flux, clock: clock)
    _ = flux.lock(fileID: "A/A.swift", line: 7)
    await advance(by: .seconds(2), in: 2)
    #expect(faults.descriptions.count == 1)
    flux.removeLocks()
    watch.stop()
    withExtendedLifetime(cart) {}
  }

  @Test func `a lock that is kept, that has a timeout, or that is inside of withLock is no fault`() async {
    let cart = cart()
    let watch = BudgetWatch(.none, of: flux, clock: clock)
    let kept = flux.lock()
    _ = flux.lock(timeout: .seconds(1_000), clock: clock)
    await flux.withLock {
      cart.mix { $0.count += 1 }
      watch.check()
    }
    #expect(faults.descriptions == [])
    withExtendedLifetime(kept) {}
    flux.removeLocks()
    #expect(cart.count == 1)
  }

  @Test func `what was noticed is not noticed after stop, and nothing is held`() {
    weak var gone: Flux?
    do {
      let flux = Flux()
      gone = flux
      faults.listen(to: flux)
      let cart = Flux.$current.withValue(flux) { Substance(Tally()) }
      do {
        let watch = BudgetWatch(Budgets(operation: .nanoseconds(1), lock: nil, waiting: nil), of: flux)
        cart.mix(fileID: "A/A.swift", line: 1) { $0.count = 1 }
        withExtendedLifetime(watch) {}
      }
      cart.mix(fileID: "A/A.swift", line: 2) { $0.count = 2 }
      #expect(faults.descriptions.count == 1)
      flux.onFault = nil
    }
    _ = gone
  }

  @Test func `budgets have defaults in debug builds, and none in others`() {
    #if DEBUG
      #expect(Budgets() == Budgets(operation: .milliseconds(100), lock: .seconds(10), waiting: 1_000))
    #else
      #expect(Budgets() == .none)
    #endif
    #expect(Budgets.none == Budgets(operation: nil, lock: nil, waiting: nil))
  }
}
