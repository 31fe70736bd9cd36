/// One value of a derived value, what it was computed from, and in which versions. It never changes.
///
/// It is right at a moment if and only if every key that was read, by the closure or by one of the other derived values
/// that this read, is what it is in these versions.
///
/// `@unchecked Sendable`: constant; the memory is freed by `deinit`.
final class DerivedRecord: @unchecked Sendable {
  enum Verdict {
    case right
    /// The closure itself has read something that is another one.
    case changed
    /// One of the other derived values has: it may be the same all the same.
    case inSources
  }

  let box: StateBox
  /// Another value of the same node has another number.
  let number: Int
  let reads: Reads
  /// Of the states of the substances in `reads.all`; behind them the numbers of the values of the sources.
  private let versions: UnsafeMutablePointer<Int>

  /// - Parameter sourceNumber: the number of the value that a source had.
  init(
    _ box: StateBox,
    number: Int,
    reads: Reads,
    at moment: Moment,
    sourceNumber: (Int) -> Int
  ) {
    self.box = box
    self.number = number
    self.reads = reads
    let count = reads.all.count
    versions = .allocate(capacity: count + reads.sources.count)
    for place in 0..<count {
      (versions + place).initialize(to: reads.all.participant(at: place).use { moment.version(of: $0) })
    }
    for place in reads.sources.indices { (versions + count + place).initialize(to: sourceNumber(place)) }
  }

  deinit { versions.deallocate() }

  /// The number of the value that a source had.
  func number(ofSource place: Int) -> Int { versions[reads.all.count + place] }

  /// Whether it is right where the substances have other versions.
  @inline(__always)
  func check(_ version: (Participant) -> Int) -> Verdict {
    Borrowed(reads).use { reads in
      let (own, all) = (Borrowed(reads.own), Borrowed(reads.all))
      var verdict = Verdict.right
      for place in 0..<all.use({ $0.count }) {
        let read = all.use { $0.reads + place }
        let other = read.pointee.participant.use(version)
        if other == versions[place] { continue }
        // The other one may be the earlier one.
        let (first, second) = (min(versions[place], other), max(versions[place], other))
        if Dependents.isUnchanged(read, from: first, until: second) { continue }
        verdict = .inSources
        if place >= own.use({ $0.count }) { continue }
        if !Dependents.isUnchanged(own.use { $0.reads + place }, from: first, until: second) {
          return .changed
        }
      }
      return verdict
    }
  }

  /// Whether any substance has a later version here than in another record.
  func isLater(than other: DerivedRecord) -> Bool {
    let (mine, others) = (reads.all, other.reads.all)
    for place in 0..<mine.count {
      let participant = mine.participant(at: place)
      // Most often they are the same lists.
      let isThere = place < others.count && others.participant(at: place) == participant
      let found = isThere ? place : (0..<others.count).first { others.participant(at: $0) == participant }
      if let found, versions[place] > other.versions[found] { return true }
    }
    return false
  }
}
