@testable import FlaskPrimitives
import FlaskDiff
import FlaskEntities
import Foundation
import Testing

@_spi(Checks) @testable import FlaskArchive
import TestSupport

/// What is appended, and when the whole is saved.
@Suite struct JournalTests {
  /// An element that counts how often one is encoded.
  struct Counted: Codable, Equatable, Identifiable, Sendable {
    static let encoded = Lock(0)
    var id: Int
    var title: String

    func encode(to encoder: any Encoder) throws {
      Self.encoded.withLock { $0 += 1 }
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(id, forKey: .id)
      try container.encode(title, forKey: .title)
    }
  }

  @Test func `One change in many elements encodes one, and writes a thousandth of the archive at most`()
    throws
  {
    // 100,000 of them with `FLASK_FULL=1`: most of the time goes into encoding them all once.
    let isFull = ProcessInfo.processInfo.environment["FLASK_FULL"] == "1"
    let (count, size, journal) = isFull ? (100_000, 4_577_818, 144) : (20_000, 897_818, 143)
    let rows = Entities((0..<count).map { Counted(id: $0, title: "the title of row \($0)") })
    let bench = JournalBench(MemoryArchive(), rows)
    try bench.save { _ in }
    let archive = try #require(bench.bytes).archive.count
    #expect(archive == size)
    Counted.encoded.withLock { $0 = 0 }
    let id = count / 10 * 7
    try bench.save { $0[id: id]?.title = "changed" }
    #expect(Counted.encoded.withLock { $0 } == 1)
    #expect(bench.journalCount == journal)
    #expect(bench.journalCount <= archive / 1_000)
    let read = reading(bench.backend, as: Entities<Counted>())
    #expect(read.state?[id: id]?.title == "changed")
    #expect(read.state == bench.state.withLock { $0 })
  }

  @Test func `A state that is entities itself is journaled, and so are those that are its properties`() throws
  {
    let whole = JournalBench(MemoryArchive(), Board(1_000).rows)
    try whole.save { _ in }
    try whole.save { $0.remove(id: 3) }
    #expect(whole.journalCount > 0)
    #expect(reading(whole.backend, as: Entities<Row>()).state?.count == 999)

    let board = JournalBench(MemoryArchive(), Board(1_000))
    try board.save { _ in }
    try board.save { $0.rows.move(id: 999, to: 0) }
    #expect(board.journalCount > 0)
    #expect(reading(board.backend, as: Board()).state?.rows.first?.id == 999)
  }

  @Test func `What is beside the entities is in the journal, too`() throws {
    let bench = JournalBench(MemoryArchive(), Board(1_000))
    try bench.save { _ in }
    try bench.save { $0.title = "another" }
    #expect((1...500).contains(bench.journalCount))
    #expect(reading(bench.backend, as: Board()).state == bench.state.withLock { $0 })
  }

  @Test func `Nothing is appended if nothing has changed`() throws {
    let bench = JournalBench(MemoryArchive(), Board(1_000))
    try bench.save { _ in }
    try bench.save { _ in }
    #expect(bench.journalCount == 0)
    try bench.save { $0.rows[id: 5]?.title = "five" }
    let count = bench.journalCount
    try bench.save { _ in }
    #expect(bench.journalCount == count)
  }

  @Test func `A property that observers are not notified of is in the journal`() throws {
    let bench = JournalBench(MemoryArchive(), Board(1_000))
    try bench.save { _ in }
    try bench.save { $0.rows[id: 5]?._note = 7 }
    #expect(bench.journalCount > 0)
    #expect(reading(bench.backend, as: Board()).state?.rows[id: 5]?._note == 7)
    try bench.save {
      $0.rows[id: 500]?._note = 8
      $0.rows.move(id: 500, to: 3)
    }
    #expect(bench.journalCount > 0)
    #expect(reading(bench.backend, as: Board()).state?.rows[3]._note == 8)
  }

  @Test func `The journal never gets larger than the archive, which is saved from scratch then`() throws {
    let bench = JournalBench(MemoryArchive(), Board(500))
    try bench.save { _ in }
    let archive = try #require(bench.bytes).archive
    var folds = 0
    var last = 0
    for round in 0..<400 {
      try bench.save { $0.rows[id: round]?.title = "round \(round)" }
      let bytes = try #require(bench.bytes)
      #expect(bytes.journal.count <= bytes.archive.count)
      if bytes.journal.count < last { folds += 1 }
      last = bytes.journal.count
    }
    #expect(folds == 2)
    #expect(try #require(bench.bytes).archive != archive)
    #expect(reading(bench.backend, as: Board()).state == bench.state.withLock { $0 })
  }

  @Test func `A small archive, one without entities, and a change of most elements are saved as a whole`()
    throws
  {
    let small = JournalBench(MemoryArchive(), Board(10))
    try small.save { _ in }
    try small.save { $0.rows[id: 5]?.title = "five" }
    #expect(small.journalCount == 0)

    let plain = JournalBench(MemoryArchive(), [String](repeating: "a long text", count: 10_000))
    try plain.save { _ in }
    try plain.save { $0[5] = "five" }
    #expect(plain.journalCount == 0)

    let changed = JournalBench(MemoryArchive(), Board(1_000))
    try changed.save { _ in }
    try changed.save { for id in 0..<700 { $0.rows[id: id]?.title = "all" } }
    #expect(changed.journalCount == 0)
    #expect(reading(changed.backend, as: Board()).state == changed.state.withLock { $0 })
  }

  @Test func `An archive is an array as before, and one without a journal is read`() throws {
    let memory = MemoryArchive()
    let text = "[{\"id\":1,\"title\":\"one\",\"_note\":0},{\"id\":2,\"title\":\"two\",\"_note\":0}]"
    memory.save(
      ArchiveFormat.wrap(Data(text.utf8), as: ArchiveHeader(stateVersion: 0, key: "app")),
      for: "app"
    )
    #expect(
      reading(memory, as: Entities<Row>()).state == [Row(id: 1, title: "one"), Row(id: 2, title: "two")]
    )
    #expect(
      try SubstanceSerializer.json(from: [Row(id: 1, title: "one")] as Entities)
        == "[{\"_note\":0,\"id\":1,\"title\":\"one\"}]"
    )
  }

  @Test func `A backend that does not know journals gets the whole each time`() throws {
    let memory = MemoryArchive()
    let bench = JournalBench(FailingArchive(over: memory), Board(1_000))
    try bench.save { _ in }
    try bench.save { $0.rows[id: 5]?.title = "five" }
    let data = try #require(memory.load("app"))
    #expect(try ArchiveShape(initial: Board()).decode(data, for: "app").state.rows[id: 5]?.title == "five")
    #expect(memory.loadWithJournal("app")?.journal == Data())
  }

  @Test func `The next start continues with the journal`() throws {
    let memory = MemoryArchive()
    let first = JournalBench(memory, Board(1_000))
    try first.save { _ in }
    try first.save { $0.rows[id: 5]?.title = "five" }
    first.archiver.close()
    let archive = memory.load("app")

    let second = JournalBench(memory, Board())
    #expect(second.load() == first.state.withLock { $0 })
    try second.save { $0.rows.remove(id: 6) }
    #expect(memory.load("app") == archive)
    #expect(reading(memory, as: Board()).state == second.state.withLock { $0 })
  }

  @Test func `An archive with elements twice, or of an older version, is saved as a whole`() throws {
    let memory = MemoryArchive()
    let filling = String(repeating: "x", count: 20_000)
    let text = "[{\"id\":1,\"title\":\"\(filling)\",\"_note\":0},{\"id\":1,\"title\":\"two\",\"_note\":0}]"
    let header = ArchiveHeader(stateVersion: 0, key: "app")
    memory.save(ArchiveFormat.wrap(Data(text.utf8), as: header), for: "app")
    let bench = JournalBench(memory, Entities<Row>())
    #expect(bench.load() == [Row(id: 1, title: "two")])
    try bench.save { $0.append(Row(id: 2, title: "two")) }
    #expect(bench.journalCount == 0)
    #expect(reading(memory, as: Entities<Row>()).state?.map(\.id) == [1, 2])

    let old = JournalBench(memory, Board(1_000))
    try old.save { _ in }
    let new = JournalBench(memory, Board(), version: 1)
    _ = new.load()
    try new.save { $0.rows[id: 5]?.title = "five" }
    #expect(new.journalCount == 0)
  }

  /// Sorts what it decodes, so that its elements are not where the archive has them.
  struct Sorted: Codable, Equatable, Sendable {
    var rows: Entities<Row>

    init(_ rows: Entities<Row>) { self.rows = rows }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      rows = Entities(try container.decode(Entities<Row>.self, forKey: .rows).sorted { $0.title < $1.title })
    }
  }

  @Test func `A state that orders its elements otherwise when it is read is not mixed up`() throws {
    let memory = MemoryArchive()
    let first = JournalBench(
      memory,
      Sorted(Entities((0..<1_000).map { Row(id: $0, title: "\(7 * $0 % 1_000)") }))
    )
    try first.save { _ in }
    let second = JournalBench(memory, Sorted([]))
    _ = second.load()
    try second.save { $0.rows[id: 5]?.title = "five" }
    try second.save { $0.rows.remove(id: 6) }
    let expected = second.state.withLock { $0 }.rows.sorted { $0.title < $1.title }
    #expect(reading(memory, as: Sorted([])).state?.rows.map(\.id) == expected.map(\.id))
    #expect(reading(memory, as: Sorted([])).state?.rows.count == 999)
  }

  @Test func `Who finds that someone else has written saves the whole`() throws {
    let folder = TestFolder()
    let first = JournalBench(FileArchive(directory: folder.url), Board(1_000))
    try first.save { _ in }
    // As another process would: once before the journal is begun, and once after.
    let other = FileArchive(directory: folder.url)
    let theirs = try ArchiveShape(initial: Board()).encode(Board(600), for: "app")
    try other.save(theirs, for: "app")
    try first.save { $0.rows[id: 1]?.title = "first" }
    #expect(reading(other, as: Board()).state == first.state.withLock { $0 })
    try first.save { $0.rows[id: 1]?.title = "first again" }
    try other.save(theirs, for: "app")
    try first.save { $0.rows[id: 2]?.title = "second" }
    #expect(reading(other, as: Board()).state == first.state.withLock { $0 })

    let (_, journal) = try #require(try other.loadWithJournal("app"))
    #expect(journal.isEmpty)
    let beginning = Data(try #require(try other.load("app")).prefix(34))
    #expect(try !other.append(Data("x".utf8), toJournalOf: "app", beginning: beginning, length: 5))
    #expect(try other.append(Data("x".utf8), toJournalOf: "app", beginning: beginning, length: 0))
    try first.save { $0.rows[id: 3]?.title = "third" }
    #expect(reading(other, as: Board()).state == first.state.withLock { $0 })
  }

  @Test func `What cannot be appended is saved as a whole`() throws {
    let memory = MemoryArchive()
    let bench = JournalBench(UnappendableArchive(over: memory), Board(1_000))
    try bench.save { _ in }
    try bench.save { $0.rows[id: 5]?.title = "five" }
    #expect(reading(memory, as: Board()).state?.rows[id: 5]?.title == "five")
    #expect(bench.faults.all == [])
  }

  /// Fails to append.
  struct UnappendableArchive: JournalArchiveBackend {
    let memory: MemoryArchive

    init(over memory: MemoryArchive) { self.memory = memory }

    func load(_ key: String) -> Data? { memory.load(key) }
    func save(_ data: Data, for key: String) { memory.save(data, for: key) }
    func remove(_ key: String) { memory.remove(key) }
    func keys(withPrefix prefix: String) -> [String] { memory.keys(withPrefix: prefix) }
    func loadWithJournal(_ key: String) -> (archive: Data, journal: Data)? { memory.loadWithJournal(key) }
    func append(_ data: Data, toJournalOf key: String, beginning: Data, length: Int) throws -> Bool {
      throw ArchiveError.system(call: "write", code: ENOSPC, path: key)
    }
  }
}
