@_spi(Checks) import FlaskArchive
import Foundation

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
      mostStrays = max(mostStrays, names.filter { $0.hasSuffix(".flask-tmp") }.count)
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
