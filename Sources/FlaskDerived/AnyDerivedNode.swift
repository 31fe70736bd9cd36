internal import FlaskPrimitives
internal import Synchronization

/// A derived value, whatever its type: a closure, and what it returned last. Generic code is only what needs the type.
///
/// What the closure read is known by the versions of the states. So the value is good for as long as none of them has
/// another version or, where one has, none of the keys that were read has changed. Nothing tells a node of changes
/// while nobody observes it.
///
/// While somebody does, it is registered with all substances that it depends on, and each operation that changes what
/// it read computes the new value into the draft of a substance of the value's own, which is committed with the
/// operation (`AnyDerivedNode+Telling`); else it lies in a box of its own. A reader pins the box under the lock, and
/// the performer puts another box there before it writes to the old one: so it finds the pin, or nobody reads.
///
/// The substances that it is registered with hold it until `close()`.
///
/// `@unchecked Sendable` since the class is not final: everything mutable is under a lock or atomic, and its one
/// subclass is constant.
class AnyDerivedNode: @unchecked Sendable {
  /// The flux that notifies its observers.
  final let flux: Flux
  final let location: SourceLocation
  /// In the order in which they were made.
  final let serial: Int
  private static let made = Atomic<Int>(0)
  final let state = Lock(State())
  /// What observers and trackers are notified by, once there were any. Owned.
  final let notifying = Atomic<Borrowed<AnySubstance>?>(nil)

  init(flux: Flux, location: SourceLocation) {
    self.flux = flux
    self.location = location
    serial = AnyDerivedNode.made.add(1, ordering: .relaxed).newValue
    if Inhabitants.areNoted {
      Inhabitants.add(self, .derived, in: flux, at: SourcePlace(location), type: derivedType)
    }
  }

  deinit { notifying.load(ordering: .acquiring)?.release() }

  // MARK: Overridden by the one subclass

  func compute() -> StateBox { StateBox.none }
  /// Computes the value into memory that holds another one.
  func compute(into memory: UnsafeMutableRawPointer) {}
  var derivedType: Any.Type { Never.self }
  func areEqual(_ a: StateBox, _ b: StateBox) -> Bool { true }
  func makeSubstance(_ box: StateBox) -> AnySubstance? { nil }

  /// The value is not needed any more.
  final func close() {
    if Inhabitants.areNoted { Inhabitants.remove(ObjectIdentifier(self)) }
    state.withLockReleasing { state in
      state.unregister(self)
      state.isClosed = true
      return state.replace(nil, state.number, .none)
    }
  }

  // MARK: Reading

  /// The present value, pinned, if nothing has to be computed to know it. Complexity: linear in the number of
  /// substances that it depends on.
  final func presentValue() -> NumberedBox? {
    state.withLock { state in
      guard let value = state.value, state.inputs.areCommitted else { return nil }
      value.box.pin()
      return value
    }
  }

  /// The present value, pinned; inside a moment the value at that.
  final func pinnedValue() -> NumberedBox {
    if CurrentReader.current == nil, let value = presentValue() { return value }
    var last: NumberedBox?
    return Moment.perform { moment in
      last?.box.unpin()
      let value = value(at: moment)
      last = value
      return value
    }
  }

  /// All keys that the last value depends on.
  final var readsOfAll: ReadList { state.withLock { $0.inputs.all } }

  /// What is found at the first look at a node.
  private enum Look {
    case good, cycle
    /// The sources are to be asked, or the value is to be computed.
    case ask, compute
  }

  /// The value at a moment, pinned.
  ///
  /// 1. If what it depends on has not changed, it is the last value.
  /// 2. If only what its sources have read has changed, these are asked: are all their values the same, it is the last
  ///    value.
  /// 3. Else it is computed, and is the last value from then on, if the moment is not an earlier one than that of the
  ///    last value.
  ///
  /// - Parameter participant: that of the node's substance, if the value may be computed into its draft.
  final func value(at moment: Moment, in participant: Participant? = nil) -> NumberedBox {
    while true {
      if let past = moment.pastValue(of: self) {
        past.box.pin()
        return past
      }
      var last: NumberedBox?
      var (inputs, edition, canPlace) = (Inputs.none, 0, false)
      let look = state.withLock { state -> Look in
        last = state.value
        last?.box.pin()
        let verdict = last == nil ? .changed : state.inputs.check(at: moment)
        if verdict == .same { return .good }
        if state.computing > 0 && moment.isComputing(self) { return .cycle }
        state.computing += 1
        (inputs, edition) = (state.inputs, state.edition)
        canPlace = state.isRegistered && state.number == state.told && state.told == state.placed
        return verdict == .inSources ? .ask : .compute
      }
      if look == .good, let last { return last }
      if look == .cycle { return cycle(last) }
      moment.beginComputing(self)
      defer { moment.endComputing() }
      if look == .ask, let last, areSame(inputs, at: moment) {
        if let value = confirm(last, inputs, edition, at: moment) { return value }
        // It has been replaced meanwhile.
        last.box.unpin()
        continue
      }
      defer { last?.box.unpin() }
      return ReadLog.withLog(expecting: inputs) { log in
        if let participant, let last, canPlace {
          moment.logging(in: log) { compute(into: participant.draft) }
          participant.reduce()
          // What differs, but not in value, nobody is notified of; but from here on it is what is read.
          let box = participant.changes.pointee.hasDirty ? participant.draftBox : last.box
          let isSame = participant.changes.pointee.isEmpty
          return adopt(box, isSame: isSame, isPlaced: true, log, edition, at: moment, after: last)
        }
        let box = moment.logging(in: log) { compute() }
        // With no lock held: it runs code of the user's.
        let isSame = last.map { areEqual($0.box, box) } ?? false
        return adopt(box, isSame: isSame, isPlaced: false, log, edition, at: moment, after: last)
      }
    }
  }

  /// Whether the sources have the values that this one was computed from.
  private final func areSame(_ inputs: Inputs, at moment: Moment) -> Bool {
    for (place, source) in inputs.sources.enumerated() {
      let value = source.value(at: moment)
      value.box.unpin()
      if value.number != inputs.numbers[place].load(ordering: .relaxed) { return false }
    }
    return true
  }

  /// The last value is good at a moment, since its sources are. `nil` if it has been replaced meanwhile.
  private final func confirm(
    _ last: NumberedBox,
    _ inputs: Inputs,
    _ edition: Int,
    at moment: Moment
  ) -> NumberedBox? {
    // What the sources read may be something else than before.
    let isOther = !zip(inputs.sources, inputs.serials).allSatisfy { $0.readsOfAll.serial == $1 }
    let new = isOther ? Inputs(own: inputs.own, sources: inputs.sources) : inputs
    var (dropped, mustRefresh): (Dropped?, Bool) = (nil, false)
    let value = state.withLock { state -> NumberedBox? in
      state.computing -= 1
      if state.edition != edition { return nil }
      if isOther {
        for place in inputs.sources.indices {
          new.numbers[place].store(inputs.numbers[place].load(ordering: .relaxed), ordering: .relaxed)
        }
        new.takeVersions(of: inputs)
        mustRefresh = follow(new, in: &state, at: moment) { $0.confirm(at: moment) }
        dropped = state.replace(last.box, last.number, new)
      } else {
        inputs.confirm(at: moment)
      }
      return state.value
    }
    withExtendedLifetime(dropped) {}
    if mustRefresh { refreshLater() }
    return value
  }

  /// Takes a new value over, unless it is of an earlier moment than the one that is there. Returns it, pinned.
  final func adopt(
    _ box: StateBox,
    isSame: Bool,
    isPlaced: Bool,
    _ log: UnsafeMutablePointer<ReadLog>,
    _ edition: Int,
    at moment: Moment,
    after last: NumberedBox?
  ) -> NumberedBox {
    box.pin()
    let inputs = log.pointee.inputs(of: self)
    var (dropped, mustRefresh): (Dropped?, Bool) = (nil, false)
    let (value, isAdopted) = state.withLock { state -> (NumberedBox, Bool) in
      state.computing -= 1
      if !isSame { state.count += 1 }
      let number = isSame ? last?.number ?? 0 : state.count
      let value = NumberedBox(box: box, number: number, reads: inputs.all.serial)
      if isPlaced && !isSame { (state.told, state.placed) = (number, number) }
      if state.isClosed || state.edition != edition
        || !isPlaced && last != nil && state.inputs.isLater(than: inputs, at: moment)
      {
        return (value, false)
      }
      if inputs === state.inputs {
        inputs.setVersions(at: moment)
        log.pointee.setNumbers(of: inputs)
      } else {
        mustRefresh = follow(inputs, in: &state, at: moment) { $0.setVersions(at: moment) }
      }
      dropped = state.replace(box, number, inputs)
      return (value, true)
    }
    withExtendedLifetime(dropped) {}
    if !isAdopted { moment.remember(value, of: self) }
    if mustRefresh { refreshLater() }
    return value
  }

  /// Has other substances know a registered node, before its inputs are replaced by others. Returns whether one of them
  /// may have changed meanwhile without being noticed. Under the lock.
  private final func follow(
    _ new: Inputs,
    in state: inout State,
    at moment: Moment,
    setVersions: (Inputs) -> Void
  ) -> Bool {
    setVersions(new)
    if !state.isRegistered || new.all === state.inputs.all { return false }
    new.all.register(self, except: state.inputs.all)
    state.inputs.all.unregister(self, except: new.all)
    // What the performer is about to publish itself it has read.
    return !new.arePublished { moment.isHome($0) }
  }

  /// It reads itself. The last value is all that there is to give.
  private final func cycle(_ last: NumberedBox?) -> NumberedBox {
    flux.report(
      .derivedFromItself,
      "a derived value reads itself, at some depth; take what it reads of itself out of its closure",
      at: location
    )
    if let last { return last }
    // There is no value of the type to go on with, and to go on without one would be a recursion without end.
    fatalError("\(location): a derived value reads itself, and there is none yet")
  }
}
