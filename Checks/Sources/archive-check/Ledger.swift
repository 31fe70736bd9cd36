@_spi(Checks) import FlaskArchive
import FlaskDiff
import FlaskEntities
import Foundation

/// A state with many elements: each save changes one, and the counter beside them.
struct Ledger: Codable, Sendable {
  static let key = "Fx.1.ledger"

  /// How many elements it has: `FLASK_ELEMENTS` of the environment, which the processes of a check have in common.
  static let size = ProcessInfo.processInfo.environment["FLASK_ELEMENTS"].flatMap { Int($0) } ?? 2_000

  struct Entry: Codable, Identifiable, Sendable {
    var id: Int
    var saved = 0
  }

  var entries: Entities<Entry>
  var count = 0

  init() { entries = Entities((0..<Self.size).map { Entry(id: $0) }) }

  /// Changes what the next number changes.
  mutating func advance() {
    count += 1
    let id = count % Self.size
    entries[id: id]?.saved = count
    if count.isMultiple(of: 7) { entries.move(id: id, to: count % (Self.size - 1)) }
  }

  /// Whether it is as so many changes make it.
  var isWhole: Bool {
    entries.count == Self.size
      && entries.allSatisfy { entry in
        let rounds = count - entry.id < 0 ? 0 : (count - entry.id) / Self.size
        let last = entry.id + rounds * Self.size
        return entry.saved == (count < entry.id || last == 0 ? 0 : last)
      }
  }

  /// An archiver of a ledger, which saves when it is told to: its clock stands still, so that no timer of the system
  /// is set beside the calls of a save.
  static func archiver(
    in folder: String,
    log: Log,
    _ snapshot: @escaping @Sendable () -> Ledger?
  ) -> StateArchiver<Ledger> {
    StateArchiver(
      key: key,
      owner: "ledger",
      in: FileArchive(directory: URL(fileURLWithPath: folder)),
      as: ArchiveShape(initial: Ledger()),
      scheduler: ManualArchiveScheduler(),
      onFault: { log.add("\($0)") },
      snapshot: snapshot
    )
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
