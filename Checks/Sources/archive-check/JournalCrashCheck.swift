import FlaskArchive
import FlaskDiff
import Foundation

/// A state with many elements: each save changes one, and the counter beside them.
struct Ledger: Codable, Sendable {
  static let key = "Fx.1.ledger"

  struct Entry: Codable, Identifiable, Sendable {
    var id: Int
    var saved = 0
  }

  var entries: Entities<Entry>
  var count = 0

  init() { entries = Entities((0..<2_000).map { Entry(id: $0) }) }

  /// Changes what the next number changes.
  mutating func advance() {
    count += 1
    let id = count % 2_000
    entries[id: id]?.saved = count
    if count.isMultiple(of: 7) { entries.move(id: id, to: count % 1_999) }
  }

  /// Whether it is as so many changes make it.
  var isWhole: Bool {
    entries.count == 2_000
      && entries.allSatisfy { entry in
        let rounds = count - entry.id < 0 ? 0 : (count - entry.id) / 2_000
        let last = entry.id + rounds * 2_000
        return entry.saved == (count < entry.id || last == 0 ? 0 : last)
      }
  }

  /// An archiver of a ledger.
  static func archiver(in folder: String, log: Log, _ snapshot: @escaping @Sendable () -> Ledger?)
    -> StateArchiver<
      Ledger
    >
  {
    StateArchiver(
      key: key,
      owner: "ledger",
      in: FileArchive(directory: URL(fileURLWithPath: folder)),
      as: ArchiveShape(initial: Ledger()),
      onFault: { log.add("\($0)") },
      snapshot: snapshot
    )
  }
}

/// Archives a ledger without end, and says after each archive that it is durable.
struct LedgerWriter {
  let folder: String

  func run() {
    let ledger = LedgerCell()
    let archiver = Ledger.archiver(in: folder, log: Log()) { ledger.value }
    if case .state(let read) = archiver.load() { ledger.value = read }
    while true {
      ledger.value.advance()
      archiver.stateChanged()
      guard (try? archiver.archiveNow()) != nil else { exit(1) }
      FileHandle.standardOutput.write(Data("\(ledger.value.count)\n".utf8))
    }
  }
}

/// A ledger behind a lock.
final class LedgerCell: @unchecked Sendable {
  // `@unchecked`: what is stored is reached under the lock only.
  private let lock = NSLock()
  private var stored = Ledger()

  var value: Ledger {
    get { lock.withLock { stored } }
    set { lock.withLock { stored = newValue } }
  }
}

/// Kills a process that appends to a journal, at random moments, and looks at what it left.
struct JournalCrashCheck {
  let folder: String
  let count: Int

  func run() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    var (torn, lost, saves, folds, mostStrays, last) = (0, 0, 0, 0, 0, 0)
    var faults: [String] = []
    var journal = 0
    for _ in 0..<count {
      let child = try Child(["write-ledger", folder])
      if let line = child.line() { last = Int(line) ?? last }
      usleep(UInt32.random(in: 0..<40_000))
      let acknowledged = child.kill()
      saves += 1 + acknowledged.count
      last = acknowledged.last.flatMap(Int.init) ?? last
      mostStrays = max(mostStrays, names.filter { $0.hasSuffix(".tmp") }.count)
      let size = journalSize
      if size < journal { folds += 1 }
      journal = size
      let log = Log()
      let archiver = Ledger.archiver(in: folder, log: log) { nil }
      if case .state(let ledger) = archiver.load() {
        if !ledger.isWhole { torn += 1 }
        if ledger.count < last { lost += 1 }
      } else {
        torn += 1
      }
      faults += log.all
    }
    print(
      """
      \(count) kills, \(saves) saves acknowledged, the journal begun anew \(folds) times: \(torn) torn, \(lost) lost, \
      at most \(mostStrays) temporary files at once, \(faults.count) faults
      """
    )
    for fault in faults.prefix(3) { print(fault) }
    exit(torn == 0 && lost == 0 && mostStrays <= 1 && faults.isEmpty && folds > 0 ? 0 : 1)
  }

  private var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] }

  private var journalSize: Int {
    names.filter { $0.hasSuffix(".journal") }.reduce(0) { sum, name in
      let attributes = try? FileManager.default.attributesOfItem(atPath: folder + "/" + name)
      return sum + (attributes?[.size] as? Int ?? 0)
    }
  }
}
