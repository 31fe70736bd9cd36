@_spi(FlaskInternals) internal import FlaskArchive
internal import Synchronization

/// The answers of a worker by the type of the action, read without a lock: an action asks every worker.
///
/// A registration puts a changed copy of the table in the place of the old one. The old ones stay for as long as the
/// registry lives, since whoever reads holds none; so a registry is for as many types as a program writes down, not for
/// as many as it can make.
final class ActionRegistry<Answer: Sendable>: Sendable {
  private final class Snapshot: Sendable {
    let table: ActionTable<Answer>

    init(_ table: ActionTable<Answer>) { self.table = table }
  }

  private let current: Atomic<Borrowed<Snapshot>>
  private let snapshots: Lock<[Snapshot]>

  init() {
    let first = Snapshot(ActionTable())
    current = Atomic(Borrowed(first))
    snapshots = Lock([first])
  }

  /// The answer to a type of actions.
  @inline(__always)
  subscript(type: ObjectIdentifier) -> Answer? {
    current.load(ordering: .acquiring).use { $0.table[type] }
  }

  /// Changes the table. `body` runs under a lock.
  func change<Result>(_ body: (inout ActionTable<Answer>) -> Result) -> Result {
    snapshots.withLock { snapshots in
      var table = current.load(ordering: .relaxed).object.table
      let result = body(&table)
      let new = Snapshot(table)
      snapshots.append(new)
      current.store(Borrowed(new), ordering: .releasing)
      return result
    }
  }
}

/// What is to be done about actions, by their type. Few types are scanned, many are hashed.
struct ActionTable<Answer: Sendable>: Sendable {
  private static var scanned: Int { 8 }

  private var types: [ObjectIdentifier] = []
  private var answers: [Answer] = []
  private var indices: [ObjectIdentifier: Int] = [:]

  /// The answer to a type. Complexity: O(1).
  subscript(type: ObjectIdentifier) -> Answer? {
    @inline(__always)
    get { index(of: type).map { answers[$0] } }
    set {
      guard let newValue else { return }
      if let index = index(of: type) { return answers[index] = newValue }
      types.append(type)
      answers.append(newValue)
      if types.count > Self.scanned {
        for (index, type) in types.enumerated() { indices[type] = index }
      }
    }
  }

  @inline(__always)
  private func index(of type: ObjectIdentifier) -> Int? {
    if types.count > Self.scanned { return indices[type] }
    for index in types.indices where types[index] == type { return index }
    return nil
  }
}
