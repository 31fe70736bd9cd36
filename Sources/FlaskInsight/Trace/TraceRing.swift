internal import FlaskPrimitives
internal import Synchronization

/// A ring buffer of the newest operations, which reuses the memory of its records. With a receiver it keeps no records:
/// each operation is passed on.
///
/// The records are contiguous, so that the processor prefetches the next record.
///
/// `@unchecked Sendable`:
/// - Ownership: `spare` is made by `init` and freed by `deinit`.
/// - Isolation: the thread that has set `isSpareInUse` uses it.
/// - If violated: a data race.
final class TraceRing: FluxTracer, @unchecked Sendable {
  private struct State {
    var records: ContiguousArray<StoredRecord> = []
    /// The index of the record to overwrite next, once the ring is full.
    var next = 0
    /// The values of the operation in progress, whose number is `valuesNumber`.
    var values: [StoredRecord.Value] = []
    var valuesNumber = 0
  }

  let rules: RedactionRules
  let capacity: Int
  private let values: TracedValues
  private let areValuesKept: Bool
  var wantsCommits: Bool { areValuesKept }
  private let state = Lock(State())
  /// The record that was removed from the ring last. The next operation is written into the memory of this record,
  /// before the lock is taken.
  private let spare: UnsafeMutablePointer<StoredRecord>
  private let isSpareInUse = Atomic<Bool>(false)

  private let receive: (@Sendable (OperationRecord) -> Void)?

  /// - Parameter receive: gets each operation. If it is given, the ring keeps no records.
  init(
    capacity: Int,
    values: TracedValues,
    rules: RedactionRules,
    receive: (@Sendable (OperationRecord) -> Void)? = nil
  ) {
    self.receive = receive
    self.capacity = capacity
    self.values = values
    self.rules = rules
    areValuesKept = !values.areNone
    spare = .allocate(capacity: 1)
    spare.initialize(to: StoredRecord())
  }

  deinit {
    spare.deinitialize(count: 1)
    spare.deallocate()
  }

  /// The records, in no particular order.
  ///
  /// Each record is copied: `Array(records)` would share the memory that the ring overwrites after the lock is
  /// released.
  var all: [StoredRecord] { state.withLock { $0.records.map(\.copied) } }
  var count: Int { state.withLock { $0.records.count } }

  /// The newest record that fulfils a condition.
  func last(where isIt: (StoredRecord) -> Bool) -> StoredRecord? {
    state.withLock { state in
      var found: Int?
      var number = 0
      for index in state.records.indices where state.records[index].number > number {
        guard isIt(state.records[index]) else { continue }
        found = index
        number = state.records[index].number
      }
      return found.map { state.records[$0].copied }
    }
  }

  func removeAll() {
    // The removed records are released after the lock.
    state.withLockReleasing { state in
      defer { state = State() }
      return state
    }
  }

  func didCommit(_ commit: borrowing TracedCommit, in operation: borrowing TracedOperation) {
    if !areValuesKept { return }
    let found = commit.values(values, rules)
    let number = operation.number
    state.withLockReleasing { state -> [StoredRecord.Value] in
      var old: [StoredRecord.Value] = []
      if state.valuesNumber != number { swap(&old, &state.values) }
      state.valuesNumber = number
      state.values += found
      return old
    }
  }

  func didEnd(_ operation: borrowing TracedOperation) {
    // The spare record may be in use: an operation that is dropped ends on another thread than the performing one.
    if receive != nil || isSpareInUse.exchange(true, ordering: .acquiring) {
      var record = StoredRecord()
      if receive == nil { return keep(&record, of: operation) }
      fill(&record, with: operation)
      if let made = record.record(rules) { receive?(made) }
      return
    }
    keep(&spare.pointee, of: operation)
    isSpareInUse.store(false, ordering: .releasing)
  }

  /// Writes the operation into `record`, and exchanges `record` for the oldest record of the ring.
  @inline(__always)
  private func keep(_ record: inout StoredRecord, of operation: borrowing TracedOperation) {
    // This call overwrites the old content of `record`, which is therefore released while no lock is held.
    fill(&record, with: operation)
    state.withLock { state in
      if state.records.count < capacity {
        // The next operation overwrites `record`, which keeps its memory; the ring gets a copy.
        state.records.append(record.copied)
        return
      }
      swap(&state.records[state.next], &record)
      state.next = state.next + 1 == capacity ? 0 : state.next + 1
    }
  }

  /// Writes an operation that has ended into a record.
  private func fill(_ record: inout StoredRecord, with operation: borrowing TracedOperation) {
    record.fill(operation, rules)
    if !areValuesKept { return }
    let number = operation.number
    record.values = state.withLock { state in
      var values: [StoredRecord.Value] = []
      if state.valuesNumber == number { swap(&values, &state.values) }
      return values
    }
  }
}
