import Foundation
import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

/// The queue between threads. What it decides is tested with `FluxQueueState`.
@Suite struct FluxQueueTests {
  private let queue = FluxQueue()

  private func operation() -> FluxOperation {
    FluxOperation(OperationIdentity(.closure), in: Flux()) { _ in .commit }
  }

  @Test func `an operation that no one disturbs begins and ends alone`() {
    #expect(queue.beginUncontended())
    #expect(!queue.beginUncontended())
    #expect(queue.finishUncontended())
    #expect(queue.beginUncontended())
    #expect(queue.finish() == nil)
  }

  @Test func `who asks in the middle of a lone operation is notified that it continues`() {
    #expect(queue.beginUncontended())
    queue.decide { #expect($0.isBusy) }
    #expect(!queue.finishUncontended())
    #expect(queue.finish() == nil)
    queue.decide { #expect($0.isIdle) }
    #expect(queue.beginUncontended())
  }

  @Test(arguments: [false, true])
  func `tracing that begins or ends in a lone operation does not end it`(isTraced: Bool) {
    queue.setTraced(isTraced)
    #expect(queue.beginUncontended())
    queue.setTraced(!isTraced)
    #expect(queue.isTraced == !isTraced)
    #expect(!queue.beginUncontended())
    queue.decide { #expect($0.isBusy) }
    #expect(queue.finish() == nil)
    #expect(queue.beginUncontended())
  }

  @Test func `what came in the middle of a lone operation comes next`() {
    #expect(queue.beginUncontended())
    let operation = operation()
    let begins = queue.decide { queue in
      defer { queue.enqueue(operation) }
      return queue.beginAtOnce()
    }
    #expect(!begins)
    #expect(queue.finish() === operation)
    #expect(!queue.beginUncontended())
    #expect(queue.finish() == nil)
    #expect(queue.beginUncontended())
  }

  @Test func `nothing begins alone while a lock is held`() {
    let lock = Flux().lock()
    queue.decide { $0.lock(lock) }
    #expect(!queue.beginUncontended())
    queue.decide { _ = $0.unlock(lock) }
    #expect(queue.beginUncontended())
  }

  @Test func `a change while nothing continues is made at once`() {
    let said = Recorder<Int>()
    queue.change(nil) { said.append(1) }
    #expect(said.all == [1])
    queue.change(Listeners(queue: queue, keyCount: 1)) { said.append(2) }
    #expect(said.all == [1, 2])
  }

  @Test
  func `changes in the middle of an operation are made in order, before it reports or when it has ended`() {
    let said = Recorder<String>()
    let listeners = Listeners(queue: queue, keyCount: 1)
    #expect(queue.beginUncontended())
    func change(_ name: String, of listeners: Listeners?) {
      let words = LastWords { said.append("gone \(name)") }
      queue.change(listeners) { withExtendedLifetime(words) { said.append(name) } }
    }
    change("other 1", of: nil)
    change("early 1", of: listeners)
    change("other 2", of: nil)
    change("early 2", of: listeners)
    #expect(said.take() == [])
    queue.beginEpoch()
    #expect(said.take() == ["early 1", "early 2"])
    change("late 1", of: listeners)
    change("other 3", of: nil)
    #expect(said.take() == [])
    #expect(queue.finish() == nil)
    #expect(said.take().prefix(4) == ["other 1", "other 2", "late 1", "other 3"])
    #expect(queue.beginUncontended())
    queue.beginEpoch()
    #expect(queue.finishUncontended())
    #expect(queue.number == 2)
  }

  @Test func `who listens to a substance that goes is changed at once, after what has waited for it`() {
    let said = Recorder<String>()
    let (gone, other) = (Listeners(queue: queue, keyCount: 1), Listeners(queue: queue, keyCount: 1))
    #expect(queue.beginUncontended())
    for name in ["1", "2"] {
      queue.change(gone) { said.append("gone \(name)") }
      queue.change(other) { said.append("other \(name)") }
    }
    queue.changeAtOnce(gone) { said.append("at once") }
    #expect(said.take() == ["gone 1", "gone 2", "at once"])
    #expect(queue.finish() == nil)
    #expect(said.take() == ["other 1", "other 2"])
  }

  @Test
  func `what goes because an operation has ended goes while the queue is still busy, and without its lock`() {
    let queue = queue
    let busy = Recorder<Bool>()
    #expect(queue.beginUncontended())
    do {
      let words = LastWords {
        queue.decide { busy.append($0.isBusy) }
        queue.change(nil) { busy.append(false) }
      }
      queue.change(nil) { withExtendedLifetime(words) {} }
    }
    #expect(busy.all == [])
    #expect(queue.finish() == nil)
    #expect(busy.all == [true, false])
    #expect(queue.beginUncontended())
  }

  @Test func `an operation ends although each release leads to another change`() {
    let queue = queue
    let busy = Recorder<Bool>()
    @Sendable func change(_ rest: Int) {
      let words = LastWords {
        queue.decide { busy.append($0.isBusy) }
        if rest > 0 { change(rest - 1) }
      }
      queue.change(nil) { withExtendedLifetime(words) {} }
    }
    #expect(queue.beginUncontended())
    change(9)
    #expect(queue.finish() == nil)
    #expect(busy.all == [true] + Array(repeating: false, count: 9))
    #expect(queue.beginUncontended())
  }

  /// Counts without protection, inside the queue's: ThreadSanitizer, too, looks whether that is enough.
  private final class Counter: @unchecked Sendable { var value = 0 }

  @Test func `one operation at a time, whichever one begins, asks and waits`() async {
    let counter = Counter()
    let queue = queue
    let rounds = 5000
    await OtherThread.run(times: 4) { thread in
      for round in 0..<rounds {
        if (round + thread) % 7 == 0 { queue.decide { _ = $0.waitingCount } }
        while !queue.beginUncontended() && !queue.decide({ $0.beginAtOnce() }) { sched_yield() }
        counter.value += 1
        if (round + thread) % 5 == 0 { queue.change(nil) { _ = Owner() } }
        #expect(queue.finish() == nil)
      }
    }
    #expect(counter.value == 4 * rounds)
  }
}
