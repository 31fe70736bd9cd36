import Foundation
import Testing

@testable import FlaskCore

/// The queue between threads. What it decides is tested with `FluxQueueState`.
@Suite struct FluxQueueTests {
  private let queue = FluxQueue()

  private func operation() -> FluxOperation {
    FluxOperation(OperationIdentity(.closure), in: Flux()) { _ in .commit }
  }

  @Test func `an operation that nobody disturbs begins and ends alone`() {
    #expect(queue.beginAlone())
    #expect(!queue.beginAlone())
    #expect(queue.finishAlone())
    #expect(queue.beginAlone())
    #expect(queue.finish() == nil)
  }

  @Test func `who asks in the middle of a lone operation is told that it goes on`() {
    #expect(queue.beginAlone())
    queue.decide { #expect($0.isBusy) }
    #expect(!queue.finishAlone())
    #expect(queue.finish() == nil)
    queue.decide { #expect($0.isIdle) }
    #expect(queue.beginAlone())
  }

  @Test(arguments: [false, true])
  func `tracing that begins or ends in a lone operation does not end it`(isTraced: Bool) {
    queue.setTraced(isTraced)
    #expect(queue.beginAlone())
    queue.setTraced(!isTraced)
    #expect(queue.isTraced == !isTraced)
    #expect(!queue.beginAlone())
    queue.decide { #expect($0.isBusy) }
    #expect(queue.finish() == nil)
    #expect(queue.beginAlone())
  }

  @Test func `what came in the middle of a lone operation comes next`() {
    #expect(queue.beginAlone())
    let operation = operation()
    let begins = queue.decide { queue in
      defer { queue.wait(operation) }
      return queue.beginAtOnce()
    }
    #expect(!begins)
    #expect(queue.finish() === operation)
    #expect(!queue.beginAlone())
    #expect(queue.finish() == nil)
    #expect(queue.beginAlone())
  }

  @Test func `nothing begins alone while a lock is held`() {
    let lock = Flux().lock()
    queue.decide { $0.lock(lock) }
    #expect(!queue.beginAlone())
    queue.decide { _ = $0.unlock(lock) }
    #expect(queue.beginAlone())
  }

  @Test func `what is put off while nothing goes on is done at once`() {
    let said = Recorder<Int>()
    queue.change { { said.append(1) } }
    #expect(said.all == [1])
    queue.change { nil }
  }

  @Test func `what is put off in the middle of an operation is done in order when that has ended`() {
    let said = Recorder<String>()
    #expect(queue.beginAlone())
    for number in 1...3 {
      let words = LastWords { said.append("gone \(number)") }
      queue.change {
        said.append("now \(number)")
        return { withExtendedLifetime(words) { said.append("later \(number)") } }
      }
    }
    #expect(said.take() == ["now 1", "now 2", "now 3"])
    #expect(queue.finish() == nil)
    #expect(said.take() == ["later 1", "later 2", "later 3", "gone 1", "gone 2", "gone 3"])
    #expect(queue.beginAlone())
  }

  @Test
  func `what goes because an operation has ended goes while the queue is still busy, and without its lock`() {
    let queue = queue
    let busy = Recorder<Bool>()
    #expect(queue.beginAlone())
    do {
      let words = LastWords {
        queue.decide { busy.append($0.isBusy) }
        queue.change { { busy.append(false) } }
      }
      queue.change { { withExtendedLifetime(words) {} } }
    }
    #expect(busy.all == [])
    #expect(queue.finish() == nil)
    #expect(busy.all == [true, false])
    #expect(queue.beginAlone())
  }

  /// Counts without protection, inside the queue's: ThreadSanitizer, too, looks whether that is enough.
  private final class Counter: @unchecked Sendable { var value = 0 }

  @Test func `one operation at a time, whoever begins, asks and waits`() async {
    let counter = Counter()
    let queue = queue
    let rounds = 5000
    await OtherThread.run(times: 4) { thread in
      for round in 0..<rounds {
        if (round + thread) % 7 == 0 { queue.decide { _ = $0.waitingCount } }
        while !queue.beginAlone() && !queue.decide({ $0.beginAtOnce() }) { sched_yield() }
        counter.value += 1
        if (round + thread) % 5 == 0 { queue.change { { _ = Owner() } } }
        #expect(queue.finish() == nil)
      }
    }
    #expect(counter.value == 4 * rounds)
  }
}
