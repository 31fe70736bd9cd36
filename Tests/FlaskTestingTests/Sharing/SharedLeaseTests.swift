import FlaskSharing
import FlaskTesting
import Foundation
import Testing

@Suite struct SharedLeaseTests {
  struct Outbox: FlaskState, Equatable {
    var sent: [Int] = []
  }

  private let database = SimulatedDatabase()

  /// A process.
  private struct Program {
    let store: SimulatedStore
    let group: SharedGroup
    let outbox: Substance<Outbox>

    init(_ database: SimulatedDatabase) {
      let store = database.connect()
      let flux = Flux()
      flux.onFault = { _ in }
      self.store = store
      (group, outbox) = Flux.$current.withValue(flux) {
        let group = SharedGroup("mails", in: store)
        return (group, Substance<Outbox>(name: "outbox", archive: true, in: group))
      }
    }

    func send(_ mail: Int, under fence: Fence?) async throws {
      try await group.transact(outbox, under: fence) { $0.sent.append(mail) }
    }
  }

  @Test func `P16: what a former holder writes is refused, and its work is cancelled`() async throws {
    let (former, next) = (Program(database), Program(database))
    let kept = Signal<Fence>()
    let store = former.store
    let work = Task {
      try await store.lease("mailer", for: .seconds(2)) { fence in
        kept.send(fence)
        try await Task.sleep(for: .seconds(3600))
      }
    }
    let old = await kept.value()
    try await former.send(1, under: old)
    // The process is cut off from its leases, and the time goes by.
    former.store.onStep = { $0 == .waiting ? .unreachable : nil }
    database.hours += 1
    let number = try await next.store.lease("mailer") { fence in
      try await next.send(2, under: fence)
      return fence.number
    }
    #expect(number > old.number)
    await #expect {
      try await work.value
    } throws: {
      if case SharingError.leaseLost(name: "mailer") = $0 { true } else { false }
    }
    former.store.onStep = nil
    await #expect {
      try await former.send(3, under: old)
    } throws: {
      if case SharingError.leaseLost = $0 { true } else { false }
    }
    #expect(try await next.group.transact(next.outbox) { $0.sent } == [1, 2])
  }

  @Test func `P17: the lease of a process that died is taken over, and that of a slow one is not`()
    async throws
  {
    let (slow, next) = (database.connect(), database.connect())
    let begun = Signal<Void>()
    let steps = Steps()
    let requests = Steps()
    slow.onStep = { step in
      if step == .waiting { requests.add("") }
      return nil
    }
    let work = Task {
      try await slow.lease("mailer", for: .seconds(1)) { _ in
        begun.send(())
        // It is renewed after a third of a second, so this is longer than it is held without that.
        while requests.all.count < 6 { try await Task.sleep(for: .milliseconds(20)) }
        steps.add("slow")
      }
    }
    await begun.value()
    try await next.lease("mailer", for: .seconds(1)) { _ in steps.add("next") }
    try await work.value
    #expect(steps.all == ["slow", "next"])
    // It never asks again.
    #expect(try slow.lease("reports", holder: "one that dies", for: .milliseconds(300)) != nil)
    try await next.lease("reports", for: .seconds(1)) { _ in steps.add("taken over") }
    #expect(steps.all.last == "taken over")
  }

  @Test func `P18: work under a lease is outside of any transaction`() async throws {
    let (here, there) = (Program(database), Program(database))
    try await here.store.lease("mailer") { fence in
      for mail in 0..<5 {
        try await there.send(mail, under: nil)
        try await here.send(mail + 10, under: fence)
      }
    }
    #expect(try await here.group.transact(here.outbox) { $0.sent.count } == 10)
  }

  @Test func `a fence is old once its closure has ended`() async throws {
    let program = Program(database)
    let fence = try await program.store.lease("mailer") { $0 }
    await #expect(throws: SharingError.self) { try await program.send(1, under: fence) }
    #expect(program.outbox.state.sent.isEmpty)
  }

  @Test func `what the work throws is thrown, and the lease is free`() async throws {
    struct Broken: Error {}
    let store = database.connect()
    for _ in 0..<2 {
      await #expect(throws: Broken.self) { try await store.lease("mailer") { _ in throw Broken() } }
    }
  }

  @Test func `a lease is waited for as long as it may, and a task that is cancelled waits no more`()
    async throws
  {
    let (holder, other) = (database.connect(), database.connect())
    try await holder.lease("mailer") { _ in
      await #expect {
        try await other.lease("mailer", timeout: .milliseconds(50)) { _ in }
      } throws: {
        if case SharingError.timedOut = $0 { true } else { false }
      }
      let waiting = Task { try await other.lease("mailer") { _ in } }
      waiting.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.value }
    }
    try await other.lease("mailer") { _ in }
  }

  @Test func `a task that is cancelled cancels its work, and gives the lease back`() async throws {
    let (holder, other) = (database.connect(), database.connect())
    let begun = Signal<Void>()
    let work = Task {
      try await holder.lease("mailer") { _ in
        begun.send(())
        try await Task.sleep(for: .seconds(3600))
      }
    }
    await begun.value()
    work.cancel()
    await #expect(throws: CancellationError.self) { try await work.value }
    try await other.lease("mailer") { _ in }
  }

  @Test func `a task that is cancelled has the result of the work that it had begun`() async throws {
    let store = database.connect()
    let begun = Signal<Void>()
    let work = Task {
      try await store.lease("mailer") { _ in
        begun.send(())
        // It ends what it has begun.
        try? await Task.sleep(for: .seconds(3600))
        return 7
      }
    }
    await begun.value()
    work.cancel()
    #expect(try await work.value == 7)
  }

  @Test func `a lease that can't be given back at once is not waited for, and is given back`() async throws {
    let (holder, other) = (database.connect(), database.connect())
    let fence = try await holder.lease("mailer", for: .seconds(3600)) { fence in
      holder.onStep = { _ in .unreachable }
      return fence
    }
    #expect(try other.lease("mailer", holder: "other", for: .seconds(60)) == nil)
    holder.onStep = nil
    let next = try await other.lease("mailer") { $0 }
    #expect(next.number > fence.number)
  }

  @Test func `a lease that was lost is given back: its fence is old, although no other process takes it`()
    async throws
  {
    let program = Program(database)
    let store = program.store
    let kept = Signal<Fence>()
    let work = Task {
      try await store.lease("mailer", for: .seconds(1)) { fence in
        kept.send(fence)
        try await Task.sleep(for: .seconds(3600))
      }
    }
    let fence = await kept.value()
    store.onStep = { $0 == .waiting ? .unreachable : nil }
    await #expect(throws: SharingError.self) { try await work.value }
    store.onStep = nil
    while (try? await program.send(1, under: fence)) != nil { try await Task.sleep(for: .milliseconds(20)) }
  }

  @Test func `a name that a database can't have is refused`() async throws {
    let store = database.connect()
    await #expect(throws: SharingError.self) { try await store.lease("a\u{0}b") { _ in } }
  }

  @Test func `once and under a lease: what was performed is not performed again, with an old fence either`()
    async throws
  {
    let program = Program(database)
    let store = program.store
    let fence = try await store.lease("mailer") { fence in
      try await program.group.transact(program.outbox, once: "1", under: fence) { $0.sent.append(1) }
      return fence
    }
    #expect(
      try await program.group.transact(program.outbox, once: "1", under: fence) { $0.sent.append(1) } == nil
    )
    await #expect(throws: SharingError.self) {
      try await program.group.transact(program.outbox, once: "2", under: fence) { $0.sent.append(2) }
    }
    #expect(program.outbox.state.sent == [1])
  }

  @Test func `a database that can't be reached is waited for; one that refuses is not`() async throws {
    let store = database.connect()
    let failures = Steps()
    store.onStep = { _ in
      failures.add("")
      return failures.all.count < 3 ? .unreachable : nil
    }
    try await store.lease("mailer", for: .seconds(1)) { _ in }
    #expect(failures.all.count >= 3)
  }

  @Test func `an answer that was lost, of a lease that was taken: it is taken`() async throws {
    let store = database.connect()
    let answers = Steps()
    store.onStep = { step in
      if step == .committed { answers.add("") }
      return step == .committed && answers.all.count == 1 ? .cut : nil
    }
    let number = try await store.lease("mailer", for: .seconds(1)) { $0.number }
    #expect(number == 1)
  }

  @Test func `a key of a transaction that a database may not have is refused alone`() async throws {
    let program = Program(database)
    for key in ["a\u{0}b", String(repeating: "x", count: 513)] {
      await #expect(throws: SharingError.self) {
        try await program.group.transact(program.outbox, once: key) { $0.sent.append(1) }
      }
    }
    #expect(program.outbox.state.sent.isEmpty)
  }
}

/// A value that a task waits for.
private final class Signal<Value: Sendable>: Sendable {
  private let stream: AsyncStream<Value>
  private let continuation: AsyncStream<Value>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }

  func send(_ value: Value) { continuation.yield(value) }

  func value() async -> Value {
    for await value in stream { return value }
    fatalError("the stream does not end")
  }
}

private final class Steps: @unchecked Sendable {
  // `@unchecked Sendable`: `names` is guarded by `lock`.
  private let lock = NSLock()
  private var names: [String] = []

  var all: [String] { lock.withLock { names } }
  func add(_ name: String) { lock.withLock { names.append(name) } }
}
