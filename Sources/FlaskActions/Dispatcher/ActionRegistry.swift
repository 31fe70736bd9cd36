internal import FlaskPrimitives
internal import Synchronization

/// The answers of a worker by the type of the action, read without a lock: an action asks every worker.
///
/// A registration puts a changed copy of the table in the place of the old one. The old ones stay for as long as the
/// registry lives, since whoever reads holds none; so a registry is for as many types as a program writes down, not for
/// as many as it can make.
final class ActionRegistry<Answer: Sendable>: Sendable {
  /// `@unchecked Sendable`: the memory is written by `init` and freed by `deinit`, and read in between.
  private final class Snapshot: @unchecked Sendable {
    let table: ActionTable<Answer>
    /// The answers of the table, where they can be looked at without an array being counted.
    private let answers: UnsafeMutablePointer<Answer>
    /// Their types, if these are few.
    private let types: UnsafeMutablePointer<ObjectIdentifier>
    private let scanned: Int

    init(_ table: ActionTable<Answer>) {
      self.table = table
      scanned = table.isScanned ? table.answers.count : 0
      answers = .allocate(capacity: max(1, table.answers.count))
      answers.initialize(from: table.answers, count: table.answers.count)
      types = .allocate(capacity: max(1, scanned))
      types.initialize(from: Array(table.types.prefix(scanned)), count: scanned)
    }

    deinit {
      answers.deinitialize(count: table.answers.count)
      answers.deallocate()
      types.deallocate()
    }

    @inline(__always)
    func answer(to type: ObjectIdentifier) -> UnsafePointer<Answer>? {
      for index in 0..<scanned where types[index] == type { return UnsafePointer(answers + index) }
      return table.isScanned ? nil : table.index(of: type).map { UnsafePointer(answers + $0) }
    }
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
    current.load(ordering: .acquiring).use { $0.answer(to: type)?.pointee }
  }

  /// Where the answer to a type of actions lies, for as long as the registry lives: looked at there, it is not counted.
  @inline(__always)
  func address(of type: ObjectIdentifier) -> UnsafePointer<Answer>? {
    current.load(ordering: .acquiring).use { $0.answer(to: type) }
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

  private(set) var types: [ObjectIdentifier] = []
  private(set) var answers: [Answer] = []
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

  /// Whether the types are so few that they are looked through.
  @inline(__always)
  var isScanned: Bool { types.count <= Self.scanned }

  @inline(__always)
  func index(of type: ObjectIdentifier) -> Int? {
    if types.count > Self.scanned { return indices[type] }
    for index in types.indices where types[index] == type { return index }
    return nil
  }
}
