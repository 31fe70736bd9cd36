import Foundation
import Testing

@_spi(Checks) @testable import FlaskArchive
@testable import FlaskCoding

@Suite struct ArchiveReaderTests {
  struct Counter: Codable, Equatable, Sendable {
    var count = 0
  }

  struct Needy: Codable, Sendable {
    var cards: [Counted]
  }

  struct Counted: Codable, Sendable {
    var count: Int
  }

  private let memory = MemoryArchive()
  private let shape = ArchiveShape(initial: Counter())

  @Test func `Nothing there is absent`() {
    #expect(describe(read()) == "absent")
  }

  @Test func `What is there is the state`() throws {
    memory.save(try shape.encode(Counter(count: 5), for: "app"), for: "app")
    #expect(describe(read()) == "state 5")
  }

  @Test func `Bytes that are no archive are quarantined, and gone from their place`() {
    memory.save(Data("junk".utf8), for: "app")
    #expect(describe(read()) == "corrupt: it has no mark of an archive; kept under app.corrupt-1")
    #expect(memory.load("app.corrupt-1") == Data("junk".utf8))
    #expect(memory.load("app") == nil)
  }

  struct Nested: Codable, Sendable {
    var inner: [Nested]

    init(levels: Int) { inner = levels == 0 ? [] : [Nested(levels: levels - 1)] }
  }

  @Test func `An archive stays in its place if no thread can be had to read it`() throws {
    let shape = ArchiveShape(initial: Nested(levels: 0))
    let archive = try shape.encode(Nested(levels: 40), for: "app")
    memory.save(archive, for: "app")
    let reading = LargeStackThread.$size.withValue(1 << 60) {
      ArchiveReader(backend: memory, key: "app").read(as: shape).reading
    }
    guard case .unreadable(.system("pthread_create", _, _)) = reading else {
      Issue.record("\(reading)")
      return
    }
    #expect(memory.keys(withPrefix: "") == ["app"])
    #expect(memory.load("app") == archive)
  }

  @Test func `What was quarantined is never written over`() {
    for number in 1...3 {
      memory.save(Data("junk \(number)".utf8), for: "app")
      _ = read()
    }
    #expect(memory.keys(withPrefix: "") == ["app.corrupt-1", "app.corrupt-2", "app.corrupt-3"])
    #expect(memory.load("app.corrupt-1") == Data("junk 1".utf8))
    #expect(memory.load("app.corrupt-3") == Data("junk 3".utf8))
  }

  @Test func `The same bytes are quarantined once`() {
    for _ in 1...3 {
      memory.save(Data("junk".utf8), for: "app")
      _ = read()
    }
    #expect(memory.keys(withPrefix: "") == ["app.corrupt-1"])
  }

  @Test func `When all sixteen places are taken the bytes stay where they are`() {
    for number in 1...16 { memory.save(Data([UInt8(number)]), for: "app.corrupt-\(number)") }
    memory.save(Data("junk".utf8), for: "app")
    #expect(describe(read()) == "corrupt: it has no mark of an archive; not kept")
    #expect(memory.load("app") == Data("junk".utf8))
  }

  @Test func `A backend that fails to load is unreadable`() {
    let backend = FailingArchive(over: memory, loading: .system(call: "open", code: EACCES, path: "/x"))
    #expect(describe(read(backend)) == "unreadable: open failed with 13 (Permission denied) at /x")
  }

  @Test func `Bytes that cannot be quarantined stay where they are`() {
    memory.save(Data("junk".utf8), for: "app")
    let backend = FailingArchive(over: memory, saving: .system(call: "write", code: ENOSPC, path: "/x"))
    #expect(describe(read(backend)) == "corrupt: it has no mark of an archive; not kept")
    #expect(memory.load("app") == Data("junk".utf8))
  }

  @Test func `An archive of a newer version is quarantined`() throws {
    let newer = ArchiveShape(version: 2, initial: Counter())
    memory.save(try newer.encode(Counter(count: 1), for: "app"), for: "app")
    #expect(
      describe(read())
        == "corrupt: it was written by version 2 of the state, and this code knows version 0; kept under app.corrupt-1"
    )
  }

  @Test func `What was quarantined is read by a version that can`() throws {
    let newer = ArchiveShape(version: 2, initial: Counter())
    memory.save(try newer.encode(Counter(count: 1), for: "app"), for: "app")
    _ = read()
    #expect(describe(read()) == "absent")
    #expect(describe(read(as: newer)) == "state 1")
    let copy = memory.load("app.corrupt-1")
    #expect(copy != nil)
    // The last of those that can be read, and none of them once there is an archive.
    memory.save(Data("junk".utf8), for: "app.corrupt-2")
    memory.save(try shape.encode(Counter(count: 3), for: "app"), for: "app.corrupt-3")
    #expect(describe(read(as: newer)) == "state 3")
    memory.save(try shape.encode(Counter(count: 4), for: "app"), for: "app")
    #expect(describe(read(as: newer)) == "state 4")
    #expect(memory.load("app.corrupt-1") == copy)
  }

  @Test func `What was quarantined is offered to a migration`() throws {
    func read(version: Int, _ migrate: @escaping ArchiveShape<Needy>.Migration) -> Int? {
      let shape = ArchiveShape(version: version, initial: Needy(cards: []), migrate: migrate)
      guard case .state(let state) = ArchiveReader(backend: memory, key: "app").read(as: shape).reading
      else { return nil }
      return state.cards.first?.count
    }
    let text = Data(#"{"cards":[{}]}"#.utf8)
    memory.save(ArchiveFormat.wrap(text, as: ArchiveHeader(stateVersion: 0, key: "app")), for: "app")
    #expect(read(version: 0) { _, _ in } == nil)
    #expect(memory.load("app") == nil)
    #expect(read(version: 1) { _, _ in } == nil)
    #expect(read(version: 2) { $1["cards"]?.changeEach { $0["count"] = 8 } } == 8)
    #expect(memory.keys(withPrefix: "") == ["app.corrupt-1"])
  }

  @Test func `A purge removes what was quarantined, so that it does not come back`() throws {
    let newer = ArchiveShape(version: 2, initial: Counter())
    memory.save(try newer.encode(Counter(count: 1), for: "app"), for: "app")
    _ = read()
    memory.save(Data("other".utf8), for: "app.corrupt-note")
    // The archive of another, which has that very key.
    memory.save(try shape.encode(Counter(count: 7), for: "app.corrupt-2"), for: "app.corrupt-2")
    let archiver = StateArchiver(
      key: "app",
      owner: "test",
      in: memory,
      as: shape,
      onFault: { _ in },
      snapshot: { Counter() }
    )
    try archiver.purge()
    #expect(describe(read(as: newer)) == "absent")
    #expect(memory.keys(withPrefix: "") == ["app.corrupt-2", "app.corrupt-note"])
  }

  private func read(
    _ backend: (any ArchiveBackend)? = nil,
    as shape: ArchiveShape<Counter>? = nil
  ) -> ArchiveReading<Counter> {
    ArchiveReader(backend: backend ?? memory, key: "app").read(as: shape ?? self.shape).reading
  }

  private func describe(_ reading: ArchiveReading<Counter>) -> String {
    switch reading {
    case .absent: "absent"
    case .state(let state): "state \(state.count)"
    case .unreadable(let error): "unreadable: \(error)"
    case .corrupt(let error, let copy): "corrupt: \(error); \(copy.map { "kept under \($0)" } ?? "not kept")"
    }
  }
}
