internal import FlaskPrimitives

/// A value that follows from the states of substances: computed when it is needed, and again only after a commit that
/// changed something it was computed from.
///
/// ```swift
/// let visible = Derived { todos.items.filter { $0.matches(todos.filter) } }
/// print(visible.value.count)
/// let token = visible.observe { old, new in show(new) }
/// ```
/// It records by itself which keys its closure reads, of which substances, stores, scopes and other derived values.
/// Without an observer it is computed when it is read. With an observer it is computed once in each operation that
/// changes what it depends on, before any observer is notified. So no observer ever sees one of its inputs new and
/// another one old. If the new value equals the old value, its observers are not notified.
///
/// The closure may run at any time, on any thread, and more than once. It must have no side effects, and all mutable
/// values that it reads must be recorded ones. When the closure reads a source for the first time, its earlier reads
/// may be outdated. It then runs again, and the first result is discarded.
///
/// Its sources should belong to one flux, the flux that is current when the derived value is made. Values of several
/// fluxes are no consistent snapshot, and changes of another flux are reported a little later.
@dynamicMemberLookup
public final class Derived<Value: Sendable>: Sendable {
  let node: DerivedNode<Value>

  /// Creates a derived value, which is computed by `compute` when it is first read.
  ///
  /// - Parameters:
  ///   - fileID: the source location; supplied by the compiler.
  ///   - line: as `fileID`.
  ///   - compute: returns the value. A fault is reported if it reads the derived value itself, or mixes.
  public init(
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ compute: @escaping @Sendable () -> Value
  ) {
    node = DerivedNode(flux: .current, location: SourcePlace(fileID, line), compute)
  }

  init(_ node: DerivedNode<Value>) { self.node = node }

  deinit { node.close() }

  /// The current value. It may be read on any thread at any time. During a mix it is still the value before the mix.
  /// Observation registers the read, and so does a derived value that reads this derived value.
  ///
  /// The closure of the derived value must not read it, which is a fault (`derivedFromItself`). It gets the last value
  /// then. Before there is a first value it gets an empty one: `nil`, an empty string or collection, `false`, 0, or the
  /// initial state of a `FlaskState`. If the type has no empty value, the process ends.
  ///
  /// Complexity: linear in the number of substances from which the value was computed, if it need not be computed
  /// again.
  public var value: Value {
    read { $0.address.assumingMemoryBound(to: Value.self).pointee }
  }

  /// A property of the value: `visible.count`.
  public subscript<Property>(dynamicMember keyPath: KeyPath<Value, Property>) -> Property { self[keyPath] }

  /// The value at a key path of the derived value. Also reads properties that have the name of a member of this class.
  public subscript<Property>(_ keyPath: KeyPath<Value, Property>) -> Property {
    read { $0.address.assumingMemoryBound(to: Value.self).pointee[keyPath: keyPath] }
  }

  private func read<Result>(_ body: (StateBox) -> Result) -> Result {
    let record = ConsistentRead.ofRunningCode?.use { $0.noted(node) } ?? node.untracked ?? tracked()
    return withExtendedLifetime(record) { body(record.box) }
  }

  private func tracked() -> DerivedRecord {
    let substance = node.substance
    substance.noteTracking(of: -1)
    if substance.cell.notices & Cell.Notice.tracking == 0 { return node.record() }
    node.keep()
    let record = node.record()
    node.trackedClosureRead(record)
    return record
  }

  /// The substance that notifies the observers of the derived value. The getter waits until a publication in progress
  /// has ended. So an observer that is added now, and then reads the value, is not also notified of this same value.
  fileprivate var observed: TypedSubstance<Value> {
    let substance = node.substance
    node.flux.snapshotLock.withLock { _ in }
    return substance
  }

  /// Starts to notify an observer that was just added. From now on `observation`, which is returned, retains the
  /// derived value.
  fileprivate func keeping(_ observation: SubstanceObservation) -> SubstanceObservation {
    node.keep()
    observation.hold(self)
    return observation
  }

  /// Calls `handler` with the old and the new value after each commit that changed the derived value, for as long as
  /// the observation is retained. The observation retains the derived value.
  ///
  /// The observers of a derived value are notified after the observers of the substances. Like those, they are called
  /// on the isolation from which `observe` was called. See `AnySubstance.observe(key:_:)`.
  @available(swift, introduced: 6)
  public func observe(
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (_ old: Value, _ new: Value) -> Void
  ) -> SubstanceObservation {
    keeping(observed.observe(\.self, isolation: isolation, handler))
  }

  /// Calls `handler` with the old and the new value at a key path, after each commit that changed it. See
  /// `TypedSubstance.observe(_:_:)`.
  @available(swift, introduced: 6)
  public func observe<Property>(
    _ keyPath: KeyPath<Value, Property>,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext _ handler:
      @escaping @isolated(any) @Sendable (_ old: Property, _ new: Property) -> Void
  ) -> SubstanceObservation {
    keeping(observed.observe(keyPath, isolation: isolation, handler))
  }
}

extension Derived {
  /// Calls `handler` after each commit that changed any element of a derived list, with the inserted, removed, moved
  /// and updated elements: `visible.observe(elements: \.self)`. Works like `TypedSubstance.observe(elements:_:)`.
  @available(swift, introduced: 6)
  public func observe<Elements: Collection>(
    elements keyPath: KeyPath<Value, Elements>,
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext _ handler:
      @escaping @isolated(any) @Sendable (_ changes: ElementChanges<Elements.Element>) -> Void
  ) -> SubstanceObservation where Elements.Element: Identifiable {
    keeping(observed.observe(elements: keyPath, isolation: isolation, handler))
  }
}

extension Derived {
  /// The values as a sequence: first the current value, then the new value after each commit that changed it. A slow
  /// reader gets only the newest value.
  ///
  /// The sequence ends with the task that reads it. The sequence retains the derived value, and so the captures of its
  /// closure. If a reader must not keep a substance alive, the closure captures the substance weakly.
  public func values() -> StateValues<Value> { values(of: \.self) }

  /// The value at a key path of the derived value, as a sequence. See `values()`.
  public func values<Property: Sendable>(of keyPath: KeyPath<Value, Property>) -> StateValues<Property> {
    let substance = node.substance
    let node = node
    return substance.reader(of: keyPath).sequence(of: substance.cell, holding: self) {
      node.keep()
      return $1.read(from: $0)
    }
  }
}

extension Derived: Readable {}
