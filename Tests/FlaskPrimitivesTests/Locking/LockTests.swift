import Dispatch
import Testing

@testable import FlaskPrimitives

@Suite struct LockTests {
  @Test func `Additions from many threads are all counted`() {
    let count = Lock(0)
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<1_000 { count.withLock { $0 += 1 } }
    }
    #expect(count.withLock { $0 } == 8_000)
  }

  @Test func `An error leaves the lock unlocked`() {
    struct Refusal: Error {}
    let lock = Lock("kept")
    #expect(throws: Refusal.self) { try lock.withLock { _ in throw Refusal() } }
    #expect(lock.withLock { $0 } == "kept")
  }

  @Test func `The value is released with the lock`() {
    final class Content: Sendable {}
    weak var content: Content?
    do {
      let lock = Lock(Content())
      content = lock.withLock { $0 }
      #expect(content != nil)
    }
    #expect(content == nil)
  }
}
