internal import FlaskPrimitives
internal import Synchronization

/// The reducers or handlers of a worker by the type of their action. They are read without a lock, since each action
/// asks every worker.
///
/// A registration replaces the table by a new table. Replaced tables are retained as long as the registry lives, since
/// readers do not retain them. A registry is therefore meant for the types that a program declares, not for an
/// unlimited number of types made at run time.
final class ActionRegistry<Answer: Sendable>: Sendable {
  /// The types in order, and their answers, stored so that a lookup retains no array.
  ///
  /// `@unchecked Sendable`:
  /// - Ownership: the registry retains the table as long as the registry lives.
  /// - Invariant: the memory is written by `init` and freed by `deinit`, and only read in between.
  /// - If violated: a data race, or a read of freed memory.
  private final class Table: @unchecked Sendable {
    let known: [ObjectIdentifier: Answer]
    private let types: UnsafeMutablePointer<ObjectIdentifier>
    private let answers: UnsafeMutablePointer<Answer>
    private let count: Int

    init(_ known: [ObjectIdentifier: Answer]) {
      self.known = known
      count = known.count
      types = .allocate(capacity: max(1, count))
      answers = .allocate(capacity: max(1, count))
      for (index, entry) in known.sorted(by: { $0.key < $1.key }).enumerated() {
        (types + index).initialize(to: entry.key)
        (answers + index).initialize(to: entry.value)
      }
    }

    deinit {
      answers.deinitialize(count: count)
      answers.deallocate()
      types.deallocate()
    }

    /// Complexity: O(log *n*) in the types.
    @inline(__always)
    func answer(to type: ObjectIdentifier) -> UnsafePointer<Answer>? {
      var low = 0
      var high = count
      while low < high {
        let middle = (low + high) / 2
        if types[middle] < type { low = middle + 1 } else { high = middle }
      }
      return low < count && types[low] == type ? UnsafePointer(answers + low) : nil
    }
  }

  private let current: Atomic<UnretainedReference<Table>>
  private let tables: Lock<[Table]>

  init() {
    let first = Table([:])
    current = Atomic(UnretainedReference(first))
    tables = Lock([first])
  }

  /// The answer to a type of actions.
  @inline(__always)
  subscript(type: ObjectIdentifier) -> Answer? { address(of: type)?.pointee }

  /// The address of the answer to a type of actions, valid for as long as the registry lives. A read through the
  /// address does not retain the answer.
  @inline(__always)
  func address(of type: ObjectIdentifier) -> UnsafePointer<Answer>? {
    current.load(ordering: .acquiring).use { $0.answer(to: type) }
  }

  /// Changes the answer to a type of actions; `nil` removes it. `body` runs under a lock. A removed answer is retained
  /// as long as the registry, since a reader may use it.
  func change<Result>(_ type: ObjectIdentifier, _ body: (inout Answer?) -> Result) -> Result {
    tables.withLock { tables in
      var known = current.load(ordering: .relaxed).object.known
      let result = body(&known[type])
      let new = Table(known)
      tables.append(new)
      current.store(UnretainedReference(new), ordering: .releasing)
      return result
    }
  }
}
