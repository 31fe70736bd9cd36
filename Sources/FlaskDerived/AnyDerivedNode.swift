internal import FlaskPrimitives
internal import Synchronization

/// The node of a derived value, without its static type: the closure, and records of its results. A record is a
/// computed value with the versions of its sources. Code that needs the type is in the generic subclass.
///
/// A reader uses a record that is right at the time of the read, or runs the closure. The node is not notified of
/// changes while it has no observer. While the node has an observer, it is registered with all substances on which it
/// depends. Each operation of its flux that changes a source then also commits the new value to a substance of the node
/// (`AnyDerivedNode+Observed`).
///
/// The substances with which a node is registered retain the node. `close()` ends the registration.
///
/// `@unchecked Sendable`, since the class is not final:
/// - Isolation: mutable state is under a lock, atomic, or accessed only by the performer. The one subclass documents
///   its own.
/// - If violated: a data race.
class AnyDerivedNode: @unchecked Sendable {
  /// The home flux of the node: the flux that notifies its observers.
  final let flux: Flux
  /// The lock of the node's flux for snapshots. A consistent read that belongs to a flux recognizes the nodes of this
  /// flux by their lock.
  final let snapshotLock: UnretainedReference<Lock<Void>>
  final let location: SourcePlace
  /// The number of the node in the order in which all nodes of the process were created. Nodes are refreshed in this
  /// order.
  final let serial: Int
  private static let made = Atomic<Int>(0)
  final let state = Lock(DerivedState())
  private let numbers = Atomic<Int>(0)
  /// The substance that notifies observers and tracked closures; `nil` until it is first requested. Owned.
  final let notifying = Atomic<UnretainedReference<AnySubstance>?>(nil)
  // The following variables belong to the performer of the node's flux during an operation.

  /// A former record of the node that no reader has seen. Its memory is used for the next record if that record has the
  /// same reads (the same `Reads` object).
  @exclusivity(unchecked) final var spare: DerivedRecord?
  /// The box of the value that is in the draft of the substance which notifies the observers of the derived value;
  /// `nil` if no draft has to be committed. The box may be released meanwhile: the reference is compared, and never
  /// read.
  @exclusivity(unchecked) final var drafted: UnretainedReference<StateBox>?
  /// Whether the operation in progress must notify a tracked closure, since it has read another value than the one that
  /// the substance shows.
  @exclusivity(unchecked) final var mustNotifyTracked = false

  init(flux: Flux, location: SourcePlace) {
    self.flux = flux
    snapshotLock = UnretainedReference(flux.snapshotLock)
    self.location = location
    serial = AnyDerivedNode.made.add(1, ordering: .relaxed).newValue
    if let observer = Liveness.observer {
      observer.didMake(self, .derived, in: flux, at: location, name: "", type: derivedType, holder: nil)
    }
  }

  deinit { notifying.load(ordering: .acquiring)?.release() }

  // MARK: Overridden by the one subclass

  func compute() -> StateBox { StateBox.none }
  /// Runs the closure of the derived value, and replaces the value in `memory` with the result.
  func compute(into memory: UnsafeMutableRawPointer) {}
  /// An empty value of the type, if the type has one.
  func makeEmpty() -> StateBox? { nil }
  var derivedType: Any.Type { Never.self }
  func areEqual(_ a: StateBox, _ b: StateBox) -> Bool { true }
  func makeSubstance(_ box: StateBox) -> AnySubstance? { nil }

  /// Ends the registration with the sources, and releases the records. Called when the derived value is no longer
  /// needed.
  final func close() {
    Liveness.observer?.didRemove(ObjectIdentifier(self))
    state.withLockReleasing { state in
      let former = unregister(&state)
      return (former, state.close())
    }
  }

  // MARK: Reading

  /// Returns a record of the present value, or, inside of a consistent read, a record of the value at that read.
  /// Complexity: linear in the number of substances on which the value depends, if no value has to be computed.
  final func record() -> DerivedRecord {
    if CurrentReader.current == nil, let present { return present }
    return ConsistentRead.perform { $0.record(of: self) }
  }

  /// A record of the present value: the newest record, or that of the value which the observers have; `nil` if both are
  /// outdated. The substances are checked one after the other. Versions only increase, so the value was right for all
  /// of them when the first one was checked. `nil` also while states are published: code that has read the value of one
  /// derived value might otherwise read an earlier value of another one.
  private final var present: DerivedRecord? {
    Publications.between {
      state.withLock { state in state.present { $0.committedVersion } }
    }
  }

  // MARK: For a moment

  @inline(__always)
  final func checkRecord(at moment: ConsistentRead) -> DerivedState.Validity {
    state.withLock { state in
      state.checkRecord(
        byPerformer: moment.isHome(snapshotLock),
        isComputing: { moment.isComputing(self) },
        version: { moment.version(of: $0) }
      )
    }
  }

  /// A number that identifies a new value.
  final func nextNumber() -> Int { numbers.add(1, ordering: .relaxed).newValue }

  /// Reports that a derived value reads itself. Returns its last record, else one of an empty value, and traps if
  /// its type has none.
  final func cycle(_ last: DerivedRecord?, at moment: ConsistentRead) -> DerivedRecord {
    flux.report(
      .derivedFromItself,
      "a derived value reads itself, at some depth; take what it reads of itself out of its closure",
      at: location
    )
    if let last { return last }
    // This is the one `fatalError` of the library. Running the closure again would recurse until the stack ends, and
    // nothing else makes a value of a type that has no empty one.
    guard let box = makeEmpty() else {
      fatalError(
        "\(location): a derived value reads itself before it has a first value, and \(derivedType) has no empty one"
      )
    }
    let number = DerivedRecord.numberOfEmptyValue
    return DerivedRecord.make(.owned(box), number: number, reads: .owned(.none), at: moment) { _ in 0 }
  }
}
