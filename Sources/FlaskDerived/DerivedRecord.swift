/// A computed value of a derived value, with its sources and their versions. A record never changes once it is visible
/// to any reader. A record that only its performer has seen may be reused.
///
/// A record is right at a moment if every key on which the value depends has the same value as in these versions. The
/// closure has read these keys itself, or through other derived values.
///
/// A record is one allocation. After the header come the versions of the substances in `reads.all`, and then the
/// numbers that identify the values of the sources.
final class DerivedRecord: ManagedBuffer<DerivedRecord.Value, Int> {
  struct Value {
    /// The box of the value. It is owned, and pinned, so that the performer does not write to it. `nil` in a record to
    /// be reused.
    var box: UnretainedReference<StateBox>?
    /// Identifies the value: another value of the same node has another number.
    let number: Int
    /// Owned.
    let reads: UnretainedReference<Reads>
  }

  enum Verdict {
    case right
    /// A key that the closure itself has read has changed.
    case changed
    /// Only keys that the closure has read through other derived values have changed. The value may still be the same.
    case inSources
  }

  /// - Parameters:
  ///   - box: owned by the record from then on.
  ///   - reads: owned by the record from then on.
  ///   - spare: a record to reuse.
  ///   - sourceNumber: returns the number that identifies the value of the source at an index.
  @inline(__always)
  static func make(
    _ box: UnretainedReference<StateBox>,
    number: Int,
    reads: UnretainedReference<Reads>,
    at moment: ConsistentRead,
    in spare: DerivedRecord? = nil,
    sourceNumber: (Int) -> Int
  ) -> DerivedRecord {
    box.use { $0.pin() }
    let (keys, count, sourceCount) = reads.use { ($0.keys, $0.keyCount, $0.sourceCount) }
    let value = Value(box: box, number: number, reads: reads)
    let record: DerivedRecord
    if let spare, spare.value.reads == reads {
      reads.release()
      // The reused record gets its new value through a pointer, since each access by `header` would cost a dynamic
      // check.
      spare.withUnsafeMutablePointerToHeader { $0.pointee = value }
      record = spare
    } else {
      record = unsafeDowncast(
        create(minimumCapacity: count + sourceCount) { _ in value },
        to: DerivedRecord.self
      )
    }
    let versions = record.versions
    for place in 0..<count { versions[place] = keys[place].cell.use { moment.version(of: $0) } }
    for place in 0..<sourceCount { versions[count + place] = sourceNumber(place) }
    return record
  }

  /// Releases the value.
  func clear() {
    guard let box = value.box else { return }
    box.use { $0.unpin() }
    box.release()
    withUnsafeMutablePointerToHeader { $0.pointee.box = nil }
  }

  deinit {
    clear()
    value.reads.release()
  }

  @inline(__always)
  private var versions: UnsafeMutablePointer<Int> { withUnsafeMutablePointerToElements { $0 } }
  @inline(__always)
  var value: Value { withUnsafeMutablePointerToHeader { $0.pointee } }

  var box: StateBox { borrowedBox.object }
  var borrowedBox: UnretainedReference<StateBox> { value.box.unsafelyUnwrapped }
  var number: Int { value.number }
  /// The number of a value that was not computed: see `AnyDerivedNode.cycle`. No computed value has it.
  static var numberOfEmptyValue: Int { -1 }
  var isEmptyValue: Bool { number == DerivedRecord.numberOfEmptyValue }
  /// The reads of the closure.
  var reads: Reads { value.reads.object }
  /// The serial number of the record's reads: see `ReadList.serial`.
  var serial: Int { value.reads.use { $0.serial } }

  /// When this record's value was computed, the closure read other derived values (its sources). Returns the number
  /// that identifies the value that the source at an index had then.
  func number(ofSource place: Int) -> Int { versions[value.reads.use { $0.keyCount } + place] }

  /// Checks whether the record's value is still right if each substance on which it depends has the version that
  /// `version` returns.
  @inline(__always)
  func check(_ version: (Cell) -> Int) -> Verdict {
    let versions = versions
    return value.reads.use { reads in
      var verdict = Verdict.right
      for place in 0..<reads.keyCount {
        let read = reads.keys + place
        let other = read.pointee.cell.use(version)
        if other == versions[place] { continue }
        // The version to check may be earlier or later than the version in the record, so the two are put in order.
        let first = min(versions[place], other)
        let second = max(versions[place], other)
        if Dependents.isUnchanged(read, from: first, until: second) { continue }
        verdict = .inSources
        if place >= reads.ownCount { continue }
        if !Dependents.isUnchanged(reads.ownKeys + place, from: first, until: second) { return .changed }
      }
      return verdict
    }
  }

  /// Whether this record was computed from a later version of any substance than another record of the same derived
  /// value.
  func isLater(than other: DerivedRecord) -> Bool {
    let mine = reads.all
    let others = other.reads.all
    for place in 0..<mine.count {
      let cell = mine.cell(at: place)
      // Most often they are the same lists.
      let isThere = mine === others || place < others.count && others.cell(at: place) == cell
      let found = isThere ? place : (0..<others.count).first { others.cell(at: $0) == cell }
      if let found, versions[place] > other.versions[found] { return true }
    }
    return false
  }
}
