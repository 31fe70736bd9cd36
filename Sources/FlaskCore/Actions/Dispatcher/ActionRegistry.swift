@_spi(FlaskInternals) internal import FlaskArchive
internal import Synchronization

/// The answers of a worker by the type of the action, read without a lock: an action asks every worker.
///
/// A registration puts a changed copy of the table in the place of the old one. The old ones stay for as long as the registry lives,
/// since whoever reads holds none; so a registry is for as many types as a program writes down, not for as many as it can make.
final class ActionRegistry<Answer: Sendable>: Sendable {
  private final class Snapshot: Sendable {
    let table: ActionTable<Answer>

    init(_ table: ActionTable<Answer>) { self.table = table }
  }

  private let current: Atomic<Unmanaged<Snapshot>>
  private let snapshots: Lock<[Snapshot]>

  init() {
    let first = Snapshot(ActionTable())
    current = Atomic(.passUnretained(first))
    snapshots = Lock([first])
  }

  /// The answer to a type of actions.
  @inline(__always)
  subscript(type: ObjectIdentifier) -> Answer? {
    current.load(ordering: .acquiring)._withUnsafeGuaranteedRef { $0.table[type] }
  }

  /// Changes the table. `body` runs under a lock.
  func change<Result>(_ body: (inout ActionTable<Answer>) -> Result) -> Result {
    snapshots.withLock { snapshots in
      var table = current.load(ordering: .relaxed).takeUnretainedValue().table
      let result = body(&table)
      let new = Snapshot(table)
      snapshots.append(new)
      current.store(.passUnretained(new), ordering: .releasing)
      return result
    }
  }
}
