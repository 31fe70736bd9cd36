import Testing

@testable import FlaskCore

@Suite struct FluxQueueStateTests {
  typealias Queue = FluxQueueState<String, Int>

  @Test func `an idle queue lets the caller begin at once, a busy one does not`() {
    var queue = Queue()
    #expect(queue.beginAtOnce() == true)
    #expect(queue.isBusy)
    #expect(queue.beginAtOnce() == false)
  }

  @Test func `what waits comes out in the order in which it came in`() {
    var queue = Queue()
    _ = queue.beginAtOnce()
    queue.enqueue("a")
    queue.enqueue("b")
    queue.enqueue("c")
    #expect(queue.waitingCount == 3)
    let order = [queue.finish(), queue.finish(), queue.finish(), queue.finish()]
    #expect(order == ["a", "b", "c", nil])
    #expect(!queue.isBusy)
  }

  @Test func `finishing with nothing to do leaves the queue idle`() {
    var queue = Queue()
    _ = queue.beginAtOnce()
    #expect(queue.finish() == nil)
    #expect(queue.beginAtOnce() == true)
  }

  @Test func `a locked queue begins nothing`() {
    var queue = Queue()
    queue.lock(1)
    #expect(queue.beginAtOnce() == false)
    #expect(!queue.isBusy)
    #expect(queue.locks == [1])
  }

  @Test func `a lock taken in the middle stops the main lane after the operation in progress`() {
    var queue = Queue()
    _ = queue.beginAtOnce()
    queue.enqueue("a")
    queue.lock(1)
    #expect(queue.finish() == nil)
    #expect(!queue.isBusy)
    #expect(queue.unlock(1) == "a")
    #expect(queue.isBusy)
  }

  @Test func `the main lane continues when the last lock was removed`() {
    var queue = Queue()
    queue.lock(1)
    queue.lock(2)
    queue.enqueue("a")
    #expect(queue.unlock(1) == nil)
    #expect(queue.unlock(2) == "a")
    #expect(queue.finish() == nil)
  }

  @Test func `unlocking while an operation is in progress hands out nothing`() {
    var queue = Queue()
    queue.lock(1)
    queue.enqueue("a")
    #expect(queue.lock(2, with: "x") == true)
    #expect(queue.unlock(1) == nil)
    #expect(queue.unlock(2) == nil)
    #expect(queue.finish() == "a")
  }

  @Test func `an unknown lock unlocks nothing`() {
    var queue = Queue()
    queue.lock(1)
    queue.enqueue("a")
    #expect(queue.unlock(2) == nil)
    #expect(queue.unlock(1) == "a")
    #expect(queue.unlock(1) == nil)
  }

  @Test func `an operation with a lock begins at once although the queue is locked`() {
    var queue = Queue()
    queue.lock(1)
    #expect(queue.lock(2, with: "x") == true)
    #expect(queue.locks == [1, 2])
    #expect(queue.isBusy)
  }

  @Test func `the exclusive lane goes before the main lane and never is paused`() {
    var queue = Queue()
    _ = queue.beginAtOnce()
    queue.enqueue("a")
    #expect(queue.lock(1, with: "x") == false)
    #expect(queue.lock(2, with: "y") == false)
    #expect(queue.finish() == "x")
    #expect(queue.finish() == "y")
    #expect(queue.finish() == nil)
    #expect(queue.unlock(1) == nil)
    #expect(queue.unlock(2) == "a")
  }

  @Test func `a purge drops both lanes in the order of their turn and keeps the locks`() {
    var queue = Queue()
    _ = queue.beginAtOnce()
    queue.enqueue("a")
    _ = queue.lock(1, with: "x")
    queue.enqueue("b")
    #expect(queue.purge() == ["x", "a", "b"])
    #expect(queue.waitingCount == 0)
    #expect(queue.locks == [1])
    #expect(queue.isBusy)
    #expect(queue.finish() == nil)
  }

  @Test func `a purge leaves what is not to be purged, in the order of its turn`() {
    var queue = Queue()
    _ = queue.beginAtOnce()
    for operation in ["a", "kept b", "c", "kept d"] { queue.enqueue(operation) }
    #expect(queue.purge { !$0.hasPrefix("kept") } == ["a", "c"])
    #expect(queue.waitingCount == 2)
    #expect(queue.finish() == "kept b")
    #expect(queue.finish() == "kept d")
    #expect(queue.finish() == nil)
  }
}
