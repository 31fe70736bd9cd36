internal import Synchronization

/// A substance whose state has this type: the common base of `Substance`, `ReactiveSubstance` and `FluxStore`. All of
/// them are read, observed and archived in one way, and changed in different ways.
///
/// A substance belongs to the flux that is current when it is made (`Flux.current`). Its state lives on the heap and
/// is never passed around by value.
///
/// `@unchecked Sendable`:
/// - Isolation: mutable state is in `cell`, behind a lock, or atomic.
/// - If violated: a data race.
@dynamicMemberLookup
open class TypedSubstance<S: Sendable>: AnySubstance, @unchecked Sendable {
  /// Whether changes are announced to Observation on the main thread instead of the performing thread.
  final let isTrackedOnMain: Bool
  /// Publishes changes to code outside of the flux, such as Observation; made at its first use.
  final let publishing = MadeOnce<StatePublisher>()

  /// - Parameter isTrackedOnMain: whether Observation is notified on the main thread.
  package init(
    initial: StateBox,
    name: String?,
    location: SourcePlace,
    flux: Flux = .current,
    isDerived: Bool = false,
    isTrackedOnMain: Bool = false
  ) {
    self.isTrackedOnMain = isTrackedOnMain
    super.init(
      Cell(
        flux: flux,
        layout: isDerived ? StateLayout.of(S.self) : StateLayout.ofState(S.self),
        initial: initial,
        location: location,
        label: name,
        isDerived: isDerived
      )
    )
    // Objects in the state that could be changed in place are not reported for a derived value, since client code does
    // not mix it.
    if !isDerived { reportChangeableObjects() }
    reportDoubts()
  }

  /// Reports, once for each type of state, the types in the state whose layout in memory could not be verified.
  private func reportDoubts() {
    let doubts = cell.layout.doubts
    if doubts.isEmpty || !flux.once.isFirst(.layoutInDoubt, ObjectIdentifier(S.self)) { return }
    report(
      .layoutInDoubt,
      "the layout of \(S.self) could not be verified: \(doubts.joined(separator: ", ")); its keys are reported together, "
        + "so keep such a property outside of the state, or in an object that is never changed"
    )
  }

  /// Reports, once for each type of state, the objects in it that could be changed without a mix.
  private final func reportChangeableObjects() {
    let changeable = cell.layout.changeable
    if changeable.isEmpty || !flux.once.isFirst(.changeableObject, ObjectIdentifier(S.self)) { return }
    for object in changeable {
      let place = object.path.isEmpty ? "\(S.self)" : "`\(object.path)` of \(S.self)"
      report(
        .changeableObject,
        "\(place) has objects of the class \(object.type), which has variables: a change of one of them is a "
          + "change of every state that refers to it, and no observer is notified; make \(object.type) a struct, or "
          + "its properties constants, or keep the object in an `FlaskNSRef`"
      )
    }
  }

  /// The last committed state. During a mix it is still the state before the mix. It may be read on any thread, at any
  /// time.
  ///
  /// Reading one property copies only that property: `substance.state.counter`. Observation registers the read.
  public final var state: S {
    _read {
      let box = beginReading(key: -1)
      defer { box.unpin() }
      yield box.address.assumingMemoryBound(to: S.self).pointee
    }
  }

  /// `state`, under the name that scopes and derived values use.
  ///
  /// A property of the state that is itself called `value` is read by `substance[\.value]`.
  public final var value: S { state }

  override class var classOfFlask: AnySubstance.Type { TypedSubstance<S>.self }

  // MARK: Notified by the flux

  override package final func didPublish(hasKeys: Bool?) {
    if cell.notices & (Cell.Notice.archive | Cell.Notice.unread) != 0, !cell.isInThePast {
      archiver.present?.use { $0.value.didPublish(self) }
    }
    guard let hasKeys, cell.notices & Cell.Notice.tracking != 0 else { return }
    withPublisher { publisher in
      publisher.stateDidChange(firstKeys: cell.changes.pointee.firstWord, isAny: hasKeys) {
        cell.isChanged($0)
      }
    }
  }

  /// Records the read of a key, for `withObservationTracking` and for derived values. -1 stands for the whole state.
  /// Call before the read: a commit that is published after the call finds the tracked closure, and the read sees any
  /// earlier commit.
  override final func noteAccess(to key: Int) {
    if CurrentReader.current?.use({ $0.reader.recordRead(of: key, in: cell) }) != true {
      noteTracking(of: key)
    }
  }

  /// Does what `noteAccess(to:)` does, for a reader that depends on only a part of the key. The read is not recorded
  /// with Observation yet: if Observation tracks it, the result is the publisher to record it with, otherwise `nil`.
  override package final func publisherToNote(partOf key: Int) -> StatePublisher? {
    if CurrentReader.current?.use({ $0.reader.recordRead(of: key, in: cell) }) == true { return nil }
    let publisher = publisher
    return publisher.isTracking ? publisher : nil
  }

  /// Records the read of a key, and returns the state to read. It is pinned: it stays unchanged until the caller unpins
  /// it.
  final func beginReading(key: Int) -> StateBox {
    guard let current = CurrentReader.current else {
      noteTracking(of: key)
      return cell.pinCommitted()
    }
    return current.use {
      let reader: any StateReader = $0.reader
      if !reader.recordRead(of: key, in: cell) { noteTracking(of: key) }
      return reader.pinState(of: cell)
    }
  }

  /// Records the read of a key for `withObservationTracking`. Not called for the reads of a derived value's closure:
  /// the read of the derived value is recorded instead.
  package final func noteTracking(of key: Int) { withPublisher { $0.noteAccess(to: key) } }
}
