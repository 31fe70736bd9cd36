@_spi(FlaskInternals) internal import FlaskArchive
@_spi(FlaskInternals) internal import FlaskDiff
internal import Synchronization

/// The newest operations, in memory that is used again and again.
///
/// `@unchecked Sendable`: `spare` is touched by whoever has raised `isSpareInUse`.
final class TraceRing: FluxTracer, @unchecked Sendable {
  /// A place of the ring.
  ///
  /// `@unchecked Sendable`: filled by whoever has taken it out of the ring, and read under the ring's lock.
  final class Place: @unchecked Sendable {
    var record = StoredRecord()
  }

  private struct State {
    var places: ContiguousArray<Place> = []
    /// Where the next one goes, once all places are taken.
    var next = 0
    /// The values of the operation in progress, and its number.
    var values: [StoredRecord.Value] = []
    var valuesNumber = 0
  }

  let rules: RedactionRules
  private let capacity: Int
  private let values: TracedValues
  private let areValuesKept: Bool
  var wantsCommits: Bool { areValuesKept }
  private let state = Lock(State())
  /// The place that was overwritten last: the next one is written there.
  private var spare: Place?
  private let isSpareInUse = Atomic<Bool>(false)

  init(capacity: Int, values: TracedValues, rules: RedactionRules) {
    self.capacity = capacity
    self.values = values
    self.rules = rules
    areValuesKept = !values.areNone
  }

  /// What is kept, in no particular order.
  var all: [StoredRecord] { state.withLock { $0.places.map(\.record) } }
  var count: Int { state.withLock { $0.places.count } }

  /// The last one of which something is so.
  func last(where isIt: (StoredRecord) -> Bool) -> StoredRecord? {
    state.withLock { state in
      var found: Place?
      for place in state.places where place.record.number > found?.record.number ?? 0 {
        if isIt(place.record) { found = place }
      }
      return found?.record
    }
  }

  func removeAll() {
    // Released after the lock.
    let old = state.withLock { state in
      defer { state = State() }
      return state
    }
    withExtendedLifetime(old) {}
  }

  func didCommit(_ commit: borrowing TracedCommit, in operation: borrowing TracedOperation) {
    if !areValuesKept { return }
    let found = commit.values(values, rules)
    let number = operation.number
    let old = state.withLock { state -> [StoredRecord.Value] in
      var old: [StoredRecord.Value] = []
      if state.valuesNumber != number { swap(&old, &state.values) }
      state.valuesNumber = number
      state.values += found
      return old
    }
    withExtendedLifetime(old) {}
  }

  func didEnd(_ operation: borrowing TracedOperation) {
    // Operations that are dropped end on other threads.
    let hasSpare = !isSpareInUse.exchange(true, ordering: .acquiring)
    let place = (hasSpare ? spare.take() : nil) ?? Place()
    // What the place held is released here, with no lock held.
    fill(&place.record, with: operation)
    let overwritten = state.withLock { state -> Place? in
      guard state.places.count == capacity else {
        state.places.append(place)
        return nil
      }
      let old = state.places[state.next]
      state.places[state.next] = place
      state.next = state.next + 1 == capacity ? 0 : state.next + 1
      return old
    }
    guard hasSpare else { return }
    spare = overwritten
    isSpareInUse.store(false, ordering: .releasing)
  }

  /// Makes a record that of an operation that has ended.
  func fill(_ record: inout StoredRecord, with operation: borrowing TracedOperation) {
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
