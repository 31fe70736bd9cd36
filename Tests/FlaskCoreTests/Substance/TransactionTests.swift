import FlaskPrimitives
import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

/// Mixes with a result, which are awaited.
@Suite(.ownFlux) struct TransactionTests {
  struct NoMoney: Error, Equatable { let missing: Int }

  @Test func `it returns what the closure returned, after the commit`() async throws {
    let number = Substance(1)
    let heard = Recorder<Int>()
    let token = number.observe(\.self) { heard.append($1) }
    let before = try await number.transaction { number in
      defer { number += 1 }
      return number
    }
    #expect(before == 1)
    #expect(heard.all == [2])
    withExtendedLifetime(token) {}
  }

  @Test func `what the closure throws is thrown as it is, and discards everything`() async {
    let purse = Substance(5)
    await #expect(throws: NoMoney(missing: 3)) {
      try await purse.transaction { amount in
        amount -= 8
        if amount < 0 { throw NoMoney(missing: -amount) }
      }
    }
    #expect(purse.state == 5)
  }

  @Test func `it waits for its turn`() async throws {
    let number = Substance(1)
    let lock = Flask.lock()
    number.mix { $0 += 1 }
    async let result = number.transaction { number in
      number *= 10
      return number
    }
    while number.flux.waitingCount < 2 { await Task.yield() }
    lock.release()
    #expect(try await result == 20)
  }

  @Test func `cancelled while it waits, it is withdrawn`() async {
    let number = Substance(1)
    let lock = Flask.lock()
    let task = Task { try await number.transaction { $0 += 1 } }
    while number.flux.waitingCount < 1 { await Task.yield() }
    task.cancel()
    let result = await task.result
    #expect(throws: CancellationError.self) { try result.get() }
    #expect(number.flux.waitingCount == 0)
    lock.release()
    #expect(number.state == 1)
  }

  @Test func `cancelled before, it does nothing`() async {
    let number = Substance(1)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await number.transaction { $0 += 1 }
    }
    let result = await task.result
    #expect(throws: CancellationError.self) { try result.get() }
    #expect(number.state == 1)
  }

  @Test func `cancelled after it has begun, it ends`() async throws {
    let number = Substance(1)
    let (isIn, mayGo) = (Signal(), Gate())
    let task = Task.detached {
      try await number.transaction { number in
        isIn.fire()
        mayGo.wait()
        number += 1
        return number
      }
    }
    await isIn.wait()
    task.cancel()
    mayGo.open()
    #expect(try await task.value == 2)
    #expect(number.state == 2)
  }

  @Test func `purged, it says so`() async {
    let number = Substance(1)
    let lock = Flask.lock()
    let task = Task { try await number.transaction { $0 += 1 } }
    while number.flux.waitingCount < 1 { await Task.yield() }
    Flask.purgeFluxQueue()
    let result = await task.result
    #expect(throws: FluxError.purged) { try result.get() }
    lock.release()
    #expect(number.state == 1)
  }

  @Test func `while the task holds a lock it is a fault and an error at once`() async {
    let number = Substance(1)
    await #expect(throws: FluxError.waitsForItself) {
      try await Flask.withLock { try await number.transaction { $0 += 1 } }
    }
    #expect(number.state == 1)
    #expect(FaultLog.current.take().map(\.kind) == [.awaitedUnderLock])
  }

  @Test func `a task that is begun while the lock is held waits for it`() async throws {
    let number = Substance(1)
    let (writing, mixing) = await Flask.withLock {
      let writing = Task { try await number.transaction { $0 += 1 } }
      let mixing = Task { await number.mix { $0 += 1 }.outcome }
      while number.flux.waitingCount < 2 { await Task.yield() }
      return (writing, mixing)
    }
    try await writing.value
    _ = await mixing.value
    #expect(number.state == 3)
    #expect(FaultLog.current.take().isEmpty)
  }

  @Test func `over two substances it is one operation`() async throws {
    let (a, b) = (Substance(10), Substance(20))
    let sum = try await Flask.transaction(a, b) { a, b in
      a -= 5
      b += 5
      return a + b
    }
    #expect(sum == 30)
    #expect((a.state, b.state) == (5, 25))
    await #expect(throws: NoMoney(missing: 1)) {
      try await Flask.transaction(a, b) { a, b in
        a = 0
        b = 0
        throw NoMoney(missing: 1)
      }
    }
    #expect((a.state, b.state) == (5, 25))
  }

  @Test func `over three and four substances it is one operation, too`() async throws {
    let (a, b, c, d) = (Substance(1), Substance(2), Substance(3), Substance(4))
    let three = try await Flask.transaction(a, b, c) { a, b, c in
      (a, b, c) = (b, c, a)
      return a + b + c
    }
    #expect(three == 6)
    #expect((a.state, b.state, c.state, d.state) == (2, 3, 1, 4))
    let four = try await Flask.transaction(a, b, c, d) { a, b, c, d in
      (a, b, c, d) = (b, c, d, a)
      return a + b + c + d
    }
    #expect(four == 10)
    #expect((a.state, b.state, c.state, d.state) == (3, 1, 4, 2))
    await #expect(throws: NoMoney(missing: 2)) {
      try await Flask.transaction(a, b, c) { a, b, c in
        (a, b, c) = (0, 0, 0)
        throw NoMoney(missing: 2)
      }
    }
    #expect((a.state, b.state, c.state, d.state) == (3, 1, 4, 2))
  }

  @Test func `over two substances of different fluxes it is misused`() async {
    let a = Substance(1)
    let b = Flux.$current.withValue(Flux()) { Substance(2) }
    await #expect(throws: FluxError.misused) { try await Flask.transaction(a, b) { $0 = $1 } }
    #expect(FaultLog.current.take().map(\.kind) == [.substancesOfDifferentFluxes])
  }
}
