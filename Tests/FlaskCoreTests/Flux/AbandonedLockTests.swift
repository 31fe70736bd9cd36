import Testing

@testable import FlaskCore
@testable import KernelFixtures

/// Locks to which nothing refers any more, so that they can't be released.
@Suite(.ownFlux) struct AbandonedLockTests {
  private let counter = Substance(0, name: "counter")

  @Test func `a lock that was not kept is a fault, once, when an operation has to wait for it`() {
    _ = counter.flux.lock(fileID: "A/A.swift", line: 7)
    #expect(FaultLog.takeKinds() == [])
    for _ in 1...100 { counter.mix { $0 += 1 } }
    #expect(
      FaultLog.current.take().map(\.description) == [
        "A/A.swift:7: Flask fault (lockAbandoned): the lock taken at A/A.swift:7 is held and can't be released any more, since nothing "
          + "refers to it; keep what `lock()` returns, pass a timeout, or use `Flask.withLock`"
      ]
    )
    counter.flux.removeLocks()
    #expect(counter.state == 100)
  }

  @Test func `a lock that is released by its last holder's end is found while operations wait`() {
    var lock: FluxLock? = counter.flux.lock()
    counter.mix { $0 += 1 }
    counter.mix { $0 += 1 }
    #expect(FaultLog.takeKinds() == [])
    withExtendedLifetime(lock) {}
    lock = nil
    for _ in 3...8 { counter.mix { $0 += 1 } }
    #expect(FaultLog.takeKinds() == [.lockAbandoned])
    counter.flux.removeLocks()
    #expect(counter.state == 8)
  }

  @Test func `a lock that is kept, or has a timeout, is none, nor an operation that waits for another`() {
    let kept = counter.flux.lock()
    _ = counter.flux.lock(timeout: .seconds(1_000))
    counter.mix { $0 += 1 }
    kept.release()
    counter.flux.removeLocks()
    let token = counter.observe(\.self) { [counter] _, new in
      if new < 10 { counter.mix { $0 += 1 } }
    }
    counter.mix { $0 += 1 }
    #expect(counter.state == 10)
    #expect(FaultLog.takeKinds() == [])
    withExtendedLifetime(token) {}
  }
}
