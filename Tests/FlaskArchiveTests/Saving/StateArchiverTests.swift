import Foundation
import Testing

@_spi(Checks) @testable import FlaskArchive
@testable import FlaskPrimitives
import TestSupport

@Suite struct StateArchiverTests {
  private let disk = FailingArchive()

  @Test func `A change costs one write, two seconds after it`() {
    let bench = Bench(disk)
    bench.change(to: 1)
    bench.pass(.milliseconds(1_999))
    #expect(disk.saves == 0)
    bench.pass(.milliseconds(1))
    #expect(disk.saves == 1)
    #expect(bench.archived() == 1)
    bench.pass(.seconds(60))
    #expect(disk.saves == 1)
  }

  @Test func `A burst of changes costs one write, two seconds after the last`() {
    let bench = Bench(disk)
    for count in 1...10 {
      bench.change(to: count)
      bench.pass(.milliseconds(500))
    }
    bench.pass(.milliseconds(1_499))
    #expect(disk.saves == 0)
    bench.pass(.milliseconds(1))
    #expect(disk.saves == 1)
    #expect(bench.archived() == 10)
  }

  @Test func `A change every tenth of a second for a minute is never staler than the cap`() {
    let bench = Bench(disk)
    var stalest = 0
    for tenth in 1...600 {
      bench.change(to: tenth)
      bench.pass(.milliseconds(100))
      stalest = max(stalest, tenth - (bench.archived() ?? 0))
    }
    #expect(stalest == 99)
    #expect(disk.saves == 6)
  }

  @Test func `A state that changed back is not written`() throws {
    let bench = Bench(disk, count: 1)
    try bench.archiver.archiveNow()
    bench.change(to: 2)
    bench.change(to: 1)
    bench.pass(.seconds(2))
    #expect(disk.saves == 1)
  }

  @Test func `A state that is as it was read is not written`() throws {
    try Bench(disk, count: 1).archiver.archiveNow()
    let bench = Bench(disk, count: 1)
    _ = bench.archiver.load()
    try bench.archiver.archiveNow()
    #expect(disk.saves == 1)
  }

  @Test func `An archive that someone else removed is written again`() throws {
    let bench = Bench(disk, count: 1)
    try bench.archiver.archiveNow()
    try disk.remove("app")
    try bench.archiver.archiveNow()
    #expect(bench.archived() == 1)
  }

  @Test func `Archiving now does not wait for the delay, and leaves nothing to write`() throws {
    let bench = Bench(disk)
    bench.change(to: 1)
    try bench.archiver.archiveNow()
    #expect(bench.archived() == 1)
    bench.pass(.seconds(60))
    #expect(disk.saves == 1)
  }

  @Test func `Archiving now can be awaited`() async throws {
    let bench = Bench(disk)
    bench.change(to: 1)
    try await bench.archiver.archiveNow()
    #expect(bench.archived() == 1)
  }

  @Test func `A save that fails is one fault, and is made good`() {
    let bench = Bench(disk)
    disk.setSaving(.system(call: "write", code: ENOSPC, path: "/x"))
    bench.change(to: 1)
    bench.pass(.seconds(2))
    bench.pass(.seconds(10))
    bench.pass(.seconds(10))
    #expect(disk.saves == 3)
    bench.archiver.waitForFaults()
    #expect(
      bench.faults.all == [
        """
        Archive "app" of bench: it was not saved: write failed with 28 (No space left on device) at /x. \
        It is tried again with the next change or later.
        """
      ]
    )
    disk.setSaving(nil)
    bench.pass(.seconds(10))
    #expect(bench.archived() == 1)
  }

  @Test func `Archiving now reports why it failed`() {
    let bench = Bench(disk)
    let error = ArchiveError.system(call: "write", code: ENOSPC, path: "/x")
    disk.setSaving(error)
    #expect(throws: error) { try bench.archiver.archiveNow() }
    #expect(bench.faults.all.count == 1)
  }

  @Test func `What could not be read is not written over`() {
    let memory = MemoryArchive()
    memory.save(Data("precious".utf8), for: "app")
    let bench = Bench(FailingArchive(over: memory, loading: .system(call: "open", code: EACCES, path: "/x")))
    _ = bench.archiver.load()
    bench.change(to: 1)
    bench.pass(.seconds(60))
    #expect(throws: ArchiveError.self) { try bench.archiver.archiveNow() }
    #expect(memory.load("app") == Data("precious".utf8))
    #expect(
      bench.faults.all.first?.contains("nothing is written over the archive until it is purged") == true
    )
    #expect(bench.faults.all.last?.contains("Purge the archive, or have a start read it") == true)
    #expect(bench.faults.all.allSatisfy { !$0.contains("tried again") })
  }

  @Test func `What was purged may be written over, and what changed before is not saved`() throws {
    let memory = MemoryArchive()
    for number in 1...16 { memory.save(Data([UInt8(number)]), for: "app.corrupt-\(number)") }
    memory.save(Data("junk".utf8), for: "app")
    let bench = Bench(memory)
    _ = bench.archiver.load()
    bench.change(to: 1)
    try bench.archiver.purge()
    bench.pass(.seconds(60))
    #expect(memory.load("app") == nil)
    bench.change(to: 2)
    bench.pass(.seconds(2))
    #expect(bench.archived() == 2)
  }

  @Test func `A corrupt archive is one fault that says where its bytes are`() {
    let memory = MemoryArchive()
    memory.save(Data("junk".utf8), for: "app")
    let bench = Bench(memory)
    _ = bench.archiver.load()
    #expect(
      bench.faults.all == [
        """
        Archive "app" of bench: it could not be used: it has no mark of an archive. \
        The initial state is used; the old bytes are kept under "app.corrupt-1".
        """
      ]
    )
  }

  @Test func `Two archivers of one key are a fault that names both`() {
    let first = Bench(disk, owner: "feed", place: "A.swift:1")
    let second = Bench(disk, owner: "feed", place: "B.swift:2")
    let third = Bench(disk, owner: "list")
    #expect(first.faults.all == [])
    #expect(
      second.faults.all == [
        """
        Archive "app" of feed: several have this key: feed (A.swift:1), feed (B.swift:2). \
        Give each a name of its own; the last commit is kept.
        """
      ]
    )
    #expect(third.faults.all.first?.contains("feed (A.swift:1), feed (B.swift:2), list.") == true)
    withExtendedLifetime((first, second, third)) {}
  }

  @Test func `Of archivers of one key that are made at once each but the first is a fault`() {
    let benches = Recorder<Bench>()
    DispatchQueue.concurrentPerform(iterations: 50) { number in
      benches.append(Bench(disk, owner: "\(number)"))
    }
    let faults = benches.all.flatMap(\.faults.all)
    #expect(faults.count == 49)
    #expect(faults.map { $0.count { $0 == "," } }.sorted() == Array(1...49))
  }

  @Test func `A key is free again when its archiver was closed`() {
    Bench(disk).archiver.close()
    #expect(Bench(disk).faults.all == [])
  }

  @Test func `Archivers of two keys, or of two places, do not concern each other`() {
    let benches = [Bench(disk), Bench(disk, key: "other"), Bench(MemoryArchive())]
    #expect(benches.flatMap(\.faults.all) == [])
  }

  @Test func `Of two archivers of one key the last change is kept, whichever one writes last`() throws {
    let clock = ManualArchiveScheduler()
    let first = Bench(disk, clock: clock)
    let second = Bench(disk, clock: clock)
    clock.advance(by: .seconds(1))
    first.change(to: 1)
    clock.advance(by: .seconds(1))
    second.change(to: 2)
    try second.archiver.archiveNow()
    clock.advance(by: .seconds(5))
    first.archiver.waitForWork()
    #expect(second.archived() == 2)
  }

  @Test func `What has changed is saved when the archiver is released`() {
    var bench: Bench? = Bench(disk)
    bench?.change(to: 1)
    bench = nil
    let next = Bench(disk)
    guard case .state(let state) = next.archiver.load() else {
      Issue.record("nothing was saved")
      return
    }
    #expect(state.count == 1)
    #expect(next.faults.all == [])
  }

  @Test func `A state without entities is encoded once for each save, also where journals are known`() throws
  {
    let archive = MemoryArchive()
    let archiver = StateArchiver(
      key: "app",
      owner: "test",
      in: archive,
      as: ArchiveShape(initial: Encoded()),
      onFault: { _ in },
      snapshot: { Encoded() }
    )
    archiver.stateChanged()
    let before = Encoded.count.withLock { $0 }
    try archiver.archiveNow()
    #expect(Encoded.count.withLock { $0 } == before + 1)
    let data = try #require(archive.load("app"))
    #expect(data == (try ArchiveShape(initial: Encoded()).encode(Encoded(), for: "app")))
  }

  @Test func `A closed archiver is silent`() {
    let bench = Bench(disk)
    bench.archiver.close()
    bench.change(to: 1)
    bench.pass(.seconds(60))
    #expect(disk.saves == 0)
  }

  @Test func `An archiver that is closed with a change is freed once it is saved`() {
    let freed = DispatchSemaphore(value: 0)
    do {
      let guardian = Guardian { freed.signal() }
      let archiver = StateArchiver(
        key: "app",
        owner: "test",
        in: disk,
        as: ArchiveShape(initial: Bench.Counter()),
        onFault: { _ in },
        snapshot: { withExtendedLifetime(guardian) { Bench.Counter(count: 3) } }
      )
      archiver.stateChanged()
    }
    freed.wait()
    #expect(disk.saves == 1)
  }
}

/// Counts how often it is encoded.
private struct Encoded: Codable, Sendable {
  static let count = Lock(0)
  var text = "a/b"
  var number = Double.nan

  func encode(to encoder: any Encoder) throws {
    Encoded.count.withLock { $0 += 1 }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(text, forKey: .text)
    try container.encode(number, forKey: .number)
  }
}
