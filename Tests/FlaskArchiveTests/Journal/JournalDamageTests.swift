import FlaskPrimitives
import FlaskDiff
import FlaskEntities
import Foundation
import Testing

@_spi(Checks) @testable import FlaskArchive
import TestSupport

/// A journal that was cut, or changed, or left behind.
@Suite struct JournalDamageTests {
  private let archive: Data
  private let journal: Data
  /// What was saved, in order.
  private let states: [Board]

  init() throws {
    let bench = JournalBench(MemoryArchive(), Board(400))
    var states: [Board] = []
    func save(_ change: (inout Board) -> Void) throws {
      try bench.save(change)
      states.append(bench.state.withLock { $0 })
    }
    try save { _ in }
    try save { $0.rows[id: 7]?.title = "seven" }
    try save { $0.rows.move(id: 9, to: 0) }
    try save { $0.title = "board" }
    try save { $0.rows.remove(id: 11) }
    let bytes = try #require(bench.bytes)
    (archive, journal) = bytes
    self.states = states
  }

  private func read(_ journal: Data) -> (state: Board?, isDamaged: Bool, aside: [String]) {
    let memory = MemoryArchive()
    memory.save(archive, for: "app")
    _ = memory.append(journal, toJournalOf: "app", beginning: Data(), length: 0)
    let outcome = reading(memory, as: Board())
    return (outcome.state, outcome.isDamaged, memory.keys(withPrefix: "app.corrupt"))
  }

  @Test func `A journal cut at any byte gives what was saved before`() throws {
    let checksum = JournalFormat.checksum(ofArchive: archive)
    let payloads = JournalFormat.unwrap(journal, after: checksum).payloads
    #expect(payloads.count == 4)
    for count in 0...journal.count {
      let contents = JournalFormat.unwrap(journal.prefix(count), after: checksum)
      #expect(contents.payloads[...] == payloads.prefix(contents.payloads.count))
      #expect(!contents.isDamaged && contents.hasRest == (contents.length < count))
    }
    var last = 0
    for count in Array(stride(from: 0, through: journal.count, by: 9)) + [journal.count] {
      let (state, isDamaged, aside) = read(journal.prefix(count))
      let found = try #require(state.flatMap { states.firstIndex(of: $0) }, "cut at \(count)")
      #expect(found >= last)
      #expect(!isDamaged && aside.isEmpty)
      last = found
    }
    #expect(last == 4)
  }

  @Test func `A journal with any bit flipped gives what was saved before, and is quarantined`() throws {
    let checksum = JournalFormat.checksum(ofArchive: archive)
    let payloads = JournalFormat.unwrap(journal, after: checksum).payloads
    for bit in 0..<journal.count * 8 {
      var damaged = journal
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      let contents = JournalFormat.unwrap(damaged, after: checksum)
      #expect(contents.isDamaged && contents.payloads.count < 4)
      #expect(contents.payloads[...] == payloads.prefix(contents.payloads.count))
      // All the rest of the way for some: that takes a while.
      if !bit.isMultiple(of: 67) { continue }
      let (state, isDamaged, aside) = read(damaged)
      let found = try #require(state.flatMap { states.firstIndex(of: $0) }, "bit \(bit)")
      guard found < 4, isDamaged, aside == ["app.corrupt-1"] else {
        Issue.record("bit \(bit): state \(found), damaged: \(isDamaged), \(aside)")
        return
      }
    }
  }

  @Test func `The damage is a fault, the bytes are kept, and the next save is the whole`() throws {
    let memory = MemoryArchive()
    memory.save(archive, for: "app")
    var damaged = journal
    damaged[damaged.count - 3] ^= 1
    _ = memory.append(damaged, toJournalOf: "app", beginning: Data(), length: 0)
    let bench = JournalBench(memory, Board())
    #expect(bench.load() == states[3])
    #expect(
      bench.faults.all == [
        "Archive \"app\" of bench: what was saved last could not be used: its journal is damaged. "
          + "The state before it is used; the old bytes are kept under \"app.corrupt-1\"."
      ]
    )
    #expect(memory.load("app.corrupt-1") == archive + damaged)
    try bench.save { $0.rows[id: 5]?.title = "five" }
    #expect(bench.journalCount == 0)
    #expect(reading(memory, as: Board()).state == bench.state.withLock { $0 })
  }

  @Test func `Records of another archive, and in another order, are not taken`() throws {
    let other = JournalBench(MemoryArchive(), Board(401))
    try other.save { _ in }
    try other.save { $0.rows[id: 7]?.title = "other" }
    #expect(read(try #require(other.bytes).journal).state == states[0])
    let first = Int(journal.bigEndian(UInt32.self, at: 0)) + 12
    #expect(read(Data(journal[first...])).state == states[0])
    #expect(read(Data(journal[..<first]) + journal).state == states[1])
  }

  @Test func `A journal that was left behind counts for nothing, also if the archive gets the same again`()
    throws
  {
    let folder = TestFolder()
    let file = FileArchive(directory: folder.url)
    try file.save(archive, for: "app")
    let beginning = JournalFormat.beginning(of: archive)
    #expect(try file.append(journal, toJournalOf: "app", beginning: beginning, length: 0))
    let left = try Data(contentsOf: URL(fileURLWithPath: folder.path("app.journal")))
    let whole = try ArchiveShape(initial: Board()).encode(states[4], for: "app")
    try file.save(whole, for: "app")
    #expect(!folder.names.contains("app.journal"))

    // As if the process had been killed before the journal was removed.
    try left.write(to: URL(fileURLWithPath: folder.path("app.journal")))
    #expect(reading(file, as: Board()).state == states[4])
    #expect(try #require(try file.loadWithJournal("app")).journal == Data())
    try file.save(archive, for: "app")
    #expect(reading(file, as: Board()).state == states[0])

    try left.write(to: URL(fileURLWithPath: folder.path("app.journal")))
    try file.remove("app")
    #expect(try file.loadWithJournal("app") == nil)
    #expect(!folder.names.contains("app.journal"))
  }

  @Test func `A journal that would count for what is saved is removed before, and no other`() throws {
    let folder = TestFolder()
    let file = FileArchive(directory: folder.url)
    try file.save(archive, for: "app")
    let beginning = JournalFormat.beginning(of: archive)
    #expect(try file.append(journal, toJournalOf: "app", beginning: beginning, length: 0))
    let place = ArchiveFolder(path: folder.url.path, maximumBytes: 1 << 20)
    try place.removeJournal(
      "app.journal",
      from: try ArchiveShape(initial: Board()).encode(states[4], for: "app")
    )
    #expect(folder.names.contains("app.journal"))
    try place.removeJournal("app.journal", from: archive)
    #expect(!folder.names.contains("app.journal"))
  }

  @Test func `A journal that is longer than archives may be by now is removed all the same`() throws {
    let folder = TestFolder()
    let file = FileArchive(directory: folder.url)
    try file.save(archive, for: "app")
    let long = Data(repeating: 1, count: JournalFile.slack + archive.count)
    #expect(
      try file.append(long, toJournalOf: "app", beginning: JournalFormat.beginning(of: archive), length: 0)
    )
    let smaller = FileArchive(directory: folder.url, maximumBytes: archive.count)
    try smaller.save(archive, for: "app")
    #expect(try smaller.load("app") == archive)
    #expect(!folder.names.contains("app.journal"))
  }

  @Test func `A file of a journal with any bit flipped or cut gives what was saved before`() throws {
    let folder = TestFolder()
    let file = FileArchive(directory: folder.url)
    try file.save(archive, for: "app")
    let beginning = JournalFormat.beginning(of: archive)
    #expect(try file.append(journal, toJournalOf: "app", beginning: beginning, length: 0))
    let url = URL(fileURLWithPath: folder.path("app.journal"))
    let whole = try Data(contentsOf: url)
    #expect(whole.count == journal.count + 52)
    #expect(reading(file, as: Board()).state == states[4])
    for bit in stride(from: 0, to: (whole.count - journal.count) * 8, by: 7) {
      var damaged = whole
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      try damaged.write(to: url)
      let outcome = reading(file, as: Board())
      #expect(outcome.state == states[0] && outcome.isDamaged, "bit \(bit)")
      try? file.remove("app.corrupt-1")
    }
    for count in stride(from: 0, to: 52, by: 3) {
      try whole.prefix(count).write(to: url)
      #expect(reading(file, as: Board()).state == states[0])
    }
  }
}
