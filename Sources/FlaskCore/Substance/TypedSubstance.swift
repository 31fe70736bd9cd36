@_spi(FlaskInternals) internal import FlaskArchive
@_spi(FlaskInternals) internal import FlaskDiff
internal import Synchronization

/// A substance over a state of one type: what `Substance`, `ReactiveSubstance` and `FluxStore` have in common. It is
/// read, observed and archived in one way, however it is changed.
///
/// A substance belongs to the flux that is current when it is made (`Flux.current`). Its state lives on the heap and
/// is never passed around by value.
///
/// `@unchecked Sendable`: everything mutable is in `participant`, behind a lock, or atomic.
@dynamicMemberLookup
open class TypedSubstance<S: Sendable>: AnySubstance, @unchecked Sendable {
  /// Whether and where the state is archived.
  final let archiving: Lock<Archiving>
  /// What tells of changes outside of the flux, once somebody has asked for it: a `StatePublisher`, owned.
  final let publishing = Atomic<Borrowed<StatePublisher>?>(nil)

  init(
    initial: StateBox,
    name: String?,
    archiving: Archiving,
    location: SourceLocation,
    flux: Flux = .current,
    isDerived: Bool = false
  ) {
    let example = initial.address.assumingMemoryBound(to: S.self)
    self.archiving = Lock(archiving)
    super.init(
      Participant(
        flux: flux,
        layout: StateLayout.of(S.self, example: example),
        initial: initial,
        location: location,
        label: name,
        isDerived: isDerived
      )
    )
    reportDoubts()
    declareWrappedKeys()
  }

  /// Reports what could not be verified about the type of the state, once for each type.
  private func reportDoubts() {
    let doubts = participant.layout.doubts
    if doubts.isEmpty || !flux.once.isFirst(.layoutInDoubt, ObjectIdentifier(S.self)) { return }
    report(
      .layoutInDoubt,
      "the layout of \(S.self) could not be verified: \(doubts.joined(separator: ", ")); its keys are told together, "
        + "so keep such a property outside of the state, or behind an object"
    )
  }

  /// Has the keys of property wrappers take part: they are stored under hidden names, and known from the names that
  /// they are encoded with.
  private func declareWrappedKeys() {
    let layout = participant.layout
    guard layout.keys.count < layout.keyCount,
      !Flux.shared.once.hasSaid(.wrappersDeclared, ObjectIdentifier(S.self)),
      let type = S.self as? any (Codable & Sendable).Type
    else { return }
    // Afterwards, so that nobody finds it said before it is done; to do it twice does no harm.
    defer { _ = Flux.shared.once.isFirst(.wrappersDeclared, ObjectIdentifier(S.self)) }
    layout.declare(encodedKeys(of: participant.pinCommitted(), as: type))
  }

  deinit { releasePublisher() }

  /// The last committed state; during a mix it is still the state before it. From any thread, at any time.
  ///
  /// Reading one property copies only that property: `substance.state.counter`. Observation is told of the read.
  public final var state: S {
    _read {
      let box = beginReading(key: -1)
      defer { box.unpin() }
      yield box.address.assumingMemoryBound(to: S.self).pointee
    }
  }

  // MARK: Told by the flux

  override final func didPublish(hasKeys: Bool) {
    if participant.hasNotice(Participant.Notice.archive), !participant.isInThePast {
      archiveDidFallBehind()
    }
    guard participant.hasNotice(Participant.Notice.tracking) else { return }
    withPublisher { publisher in
      publisher.stateDidChange(firstKeys: participant.changes.pointee.firstWord, isAny: hasKeys) {
        participant.isChanged($0)
      }
    }
  }

  /// The name has changed, and with it the key of the archive.
  override final func nameDidChange() { moveArchive() }

  /// Notes that a key is being read, or with -1 the whole state: for `withObservationTracking`, and for what is
  /// derived. Comes before the read: a commit that is published after it finds that somebody tracks, and one before it
  /// is what is read.
  override final func noteAccess(to key: Int) {
    if CurrentReader.current?.use({ $0.reader.note(key, of: participant) }) != true { noteTracking(of: key) }
  }

  /// Notes that a key is being read, and pins the state: the caller unpins it.
  final func beginReading(key: Int) -> StateBox {
    guard let current = CurrentReader.current else {
      noteTracking(of: key)
      return participant.pinCommitted()
    }
    return current.use {
      if !$0.reader.note(key, of: participant) { noteTracking(of: key) }
      return $0.reader.pinState(of: participant)
    }
  }

  /// Notes that a key is being read, for `withObservationTracking`. What a derived value reads is not tracked: the
  /// value is.
  final func noteTracking(of key: Int) { withPublisher { $0.noteAccess(to: key) } }

  /// Whether those who track are told on the main thread. Overridden by stores.
  var isTrackedOnMain: Bool { false }

  // MARK: Overridden by those that know how the state is encoded

  /// The key under which the state is to be archived now; `nil` if there is none, after a fault.
  func presentArchiveKey() -> String? { nil }

  /// Makes what saves the state under a key; `nil` if the substance has not been set up for it.
  func makeArchive(_ key: String) -> (any SubstanceArchive)? { nil }

  /// Whether the state may not be saved now. Asked as `Substance.archiveDisabled()` says.
  func isArchivingOff() -> Bool { archiving.withLock { !$0.isWanted } }
}
