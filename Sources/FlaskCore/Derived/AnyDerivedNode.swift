@_spi(FlaskInternals) internal import FlaskArchive
internal import FlaskDiff

/// A derived value, whatever its type: a closure, and what it returned last. Generic code is only what needs the type.
///
/// What the closure read is known by the versions of the states. So the value is good for as long as none of them has
/// another version or, where one has, none of the keys that were read has changed.
///
/// While somebody is to be told of changes, the performer computes each new value into the draft of a substance of the
/// value's own, which is committed with the operation (`AnyDerivedNode+Telling`); else it lies in a box of its own.
/// Whoever reads the value pins its box under the lock, and the performer puts another box there before it writes to
/// the old one: so it finds the pin, or nobody reads.
///
/// The substances that it depends on hold it until `close()`.
///
/// `@unchecked Sendable` since the class is not final: everything mutable is under a lock, and its one subclass is
/// constant.
class AnyDerivedNode: CommitFollower, @unchecked Sendable {
  typealias Source = (node: AnyDerivedNode, number: Int)

  final let location: SourceLocation
  final let state = Lock(State())

  init(flux: Flux, location: SourceLocation) {
    self.location = location
    super.init(flux: flux)
    if Inhabitants.areNoted {
      Inhabitants.add(self, .derived, in: flux, at: SourcePlace(location), type: derivedType)
    }
  }

  // MARK: Overridden by the one subclass

  func compute() -> StateBox { StateBox.none }
  /// Computes the value into memory that holds another one.
  func compute(into memory: UnsafeMutableRawPointer) {}
  var derivedType: Any.Type { Never.self }
  func areEqual(_ a: StateBox, _ b: StateBox) -> Bool { true }
  func makeSubstance(_ box: StateBox) -> AnySubstance? { nil }

  // MARK: By the performer

  override final func prepare(for moment: Moment) -> Concern { concern(for: moment) }
  override final func refresh(at moment: Moment) -> Participant? { nextParticipant(at: moment) }
  override final func refreshLater() { _ = flux.submit(.refresh(self), isolation: .none) }
  override final func prepareLate(at moment: Moment) -> Bool { isHeardLate(at: moment) }
  override final func refreshNow() -> Participant? { presentParticipant() }

  /// Nobody is interested any more.
  final func close() {
    if Inhabitants.areNoted { Inhabitants.remove(ObjectIdentifier(self)) }
    let old = state.withLock { state in
      let old = (state.followed, state.replace(nil, state.number, .none, [], []), state.before)
      state.before?.box.unpin()
      state.before = nil
      state.isClosed = true
      state.followed = []
      for participant in old.0 { Followers.remove(self, from: participant) }
      return old
    }
    withExtendedLifetime(old) {}
  }

  // MARK: Reading

  /// Calls `body` with the present value, which stays as it is during the call; inside a moment with the value at that.
  ///
  /// If the value has to be computed, `body` may be called again, and only the last result counts.
  final func read<Result>(_ body: (NumberedBox) -> Result) -> Result {
    if let moment = Moment.current { return body(value(at: moment)) }
    if let value = presentValue() {
      defer { value.box.unpin() }
      return body(value)
    }
    return Moment.perform { body(value(at: $0)) }
  }

  /// The present value, pinned, if nothing has to be computed to know it.
  private final func presentValue() -> NumberedBox? {
    state.withLock { state in
      guard state.isCurrent, let box = state.box else { return nil }
      box.pin()
      return NumberedBox(box: box, number: state.number)
    }
  }

  /// The present value, pinned: the caller unpins it.
  final func pinnedValue() -> NumberedBox {
    if Moment.current == nil, let value = presentValue() { return value }
    var result: NumberedBox?
    return Moment.perform { moment in
      result?.box.unpin()
      let value = value(at: moment)
      value.box.pin()
      result = value
      return value
    }
  }

  /// The value at a moment, which is the present one; it stays as it is until the end of the moment.
  ///
  /// Once in a moment it is found out whether the last value is good: of values that are derived from each other, each
  /// would else ask those below it, and these again.
  final func value(at moment: Moment) -> NumberedBox {
    if let known = moment.known(of: self) { return known }
    let last = last()
    if let last { moment.hold(last.value) }
    guard moment.begin(self) else { return cycle(last, at: moment) }
    defer { moment.end() }
    if let last, isGood(last, at: moment) {
      if !last.sources.isEmpty {
        moment.remember(last.value, of: self)
        follow(at: moment, isNew: !last.isFollowing)
      } else if !last.isFollowing {
        follow(at: moment, isNew: true)
      }
      return last.value
    }
    let expected = last?.reads ?? .none
    defer { withExtendedLifetime(expected) {} }
    return ReadLog.withLog(expecting: Borrowed(expected)) { log in
      let box = moment.logging(in: log) { compute() }
      box.pin()
      let value = adopt(box, log, at: moment, after: last)
      moment.hold(value)
      if log.pointee.sources != nil { moment.remember(value, of: self) }
      return value
    }
  }

  private final func last() -> Last? {
    state.withLock { state in
      guard let box = state.box else { return nil }
      box.pin()
      return Last(
        value: NumberedBox(box: box, number: state.number),
        reads: state.reads,
        versions: state.versions,
        sources: state.sources,
        edition: state.edition,
        isFollowing: state.isFollowing
      )
    }
  }

  /// Whether the last value is that of a moment.
  final func isGood(_ last: Last, at moment: Moment) -> Bool {
    var moved: [(place: Int, version: Int)] = []
    for (place, old) in last.versions.enumerated() {
      let participant = AnyDerivedNode.participant(last.reads.cell(at: place).object)
      let version = moment.version(of: participant)
      if version == old { continue }
      let read = last.reads.reads + place
      // The moment may be the earlier one: an operation that changes nothing of what was read is counted in advance.
      let (first, second) = (min(old, version), max(old, version))
      guard Followers.isUnchanged(read, of: participant, from: first, until: second) else { return false }
      moved.append((place, version))
    }
    for source in last.sources where source.node.value(at: moment).number != source.number { return false }
    if !moved.isEmpty {
      // So that nobody has to ask again.
      state.withLock { state in
        guard state.edition == last.edition else { return }
        for (place, version) in moved { state.versions[place] = max(version, state.versions[place]) }
      }
    }
    return true
  }

  /// Only participants are ever read.
  static func participant(_ cell: StateCell) -> Participant { unsafeDowncast(cell, to: Participant.self) }

  /// Takes a new value over, unless it is of an earlier moment than the one that is there. Returns it with its number.
  private final func adopt(
    _ box: StateBox,
    _ log: UnsafeMutablePointer<ReadLog>,
    at moment: Moment,
    after last: Last?
  ) -> NumberedBox {
    let reads = log.pointee.reads
    let versions = reads.versions(at: moment)
    let sources = sources(in: log)
    // With no lock held: it runs code of the user's.
    let isSame = last.map { areEqual($0.value.box, box) } ?? false
    // Then the substances know already that they are followed.
    let isAboutTheSame =
      sources.isEmpty
      && last.map { $0.isFollowing && $0.sources.isEmpty && reads.isAboutTheSame(as: $0.reads) } ?? false
    let (number, dropped) = state.withLock { state -> (Int, Dropped?) in
      var number = last?.value.number ?? 0
      if !isSame {
        state.count += 1
        number = state.count
      }
      if state.isClosed || state.edition != (last?.edition ?? 0)
        || state.isLater(than: reads, versions)
      {
        return (number, nil)
      }
      return (number, state.replace(box, number, reads, versions, sources, isFollowing: isAboutTheSame))
    }
    withExtendedLifetime(dropped) {}
    if !isAboutTheSame { follow(at: moment, isNew: false) }
    return NumberedBox(box: box, number: number)
  }

  final func sources(in log: UnsafeMutablePointer<ReadLog>) -> [Source] {
    (log.pointee.sources ?? []).compactMap { source in
      guard let node = source.source as? AnyDerivedNode, node !== self else { return nil }
      return (node, source.number)
    }
  }

  /// It reads itself. The last value is all that there is to give.
  private final func cycle(_ last: Last?, at moment: Moment) -> NumberedBox {
    flux.report(
      .derivedFromItself,
      "a derived value reads itself, at some depth; take what it reads of itself out of its closure",
      at: location
    )
    if let last { return last.value }
    // There is no value of the type to go on with, and to go on without one would be a recursion without end.
    fatalError("\(location): a derived value reads itself, and there is none yet")
  }
}
