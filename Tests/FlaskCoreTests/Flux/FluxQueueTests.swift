import Foundation
import Testing

@testable import FlaskCore

/// The queue between threads. What it decides is tested with `FluxQueueState`.
@Suite struct FluxQueueTests {
  private let queue = FluxQueue()

  private func operation() -> WaitingOperation {
    WaitingOperation(operation: .closure({}), pending: PendingOutcome())
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

  @Test func `what came in the middle of a lone operation comes next`() {
    #expect(queue.beginAlone())
    let operation = operation()
    let begins = queue.decide { queue in
      defer { queue.wait(operation) }
      return queue.beginAtOnce()
    }
    #expect(!begins)
    #expect(queue.finish()?.pending === operation.pending)
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

  @Test func `what is replaced while nothing goes on is released at once`() {
    let last = Recorder<Int>()
    queue.exchange { isBusy in
      #expect(!isBusy)
      return LastWords { last.append(1) }
    }
    #expect(last.all == [1])
  }

  @Test func `what is replaced in the middle of an operation is released when that has ended`() {
    let last = Recorder<Int>()
    #expect(queue.beginAlone())
    for number in 1...3 {
      queue.exchange { isBusy in
        #expect(isBusy)
        return LastWords { last.append(number) }
      }
    }
    #expect(last.all == [])
    _ = queue.finish()
    #expect(last.all == [1, 2, 3])
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
        if (round + thread) % 5 == 0 { queue.exchange { _ in Owner() } }
        #expect(queue.finish() == nil)
      }
    }
    #expect(counter.value == 4 * rounds)
  }
}
