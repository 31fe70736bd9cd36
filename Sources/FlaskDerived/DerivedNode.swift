internal import Synchronization

/// The node of a derived value with its static type: contains the closure that computes the value.
///
/// `@unchecked Sendable`:
/// - Invariant: `closure` is constant until `deinit`.
/// - If violated: a data race.
final class DerivedNode<Value: Sendable>: AnyDerivedNode, @unchecked Sendable {
  /// `nil` in `deinit` only.
  @exclusivity(unchecked) private var closure: (@Sendable () -> Value)?

  /// Layouts are never released.
  private let layout = Atomic<UnretainedReference<StateLayout>?>(nil)

  init(flux: Flux, location: SourcePlace, _ closure: @escaping @Sendable () -> Value) {
    self.closure = closure
    super.init(flux: flux, location: location)
  }

  deinit {
    var last: [Any] = closure.take().map { [$0] } ?? []
    ReleaseList.release(&last)
  }

  override var derivedType: Any.Type { Value.self }

  override func makeEmpty() -> StateBox? {
    EmptyValue.of(Value.self).map { value in TypedStateBox<Value> { value } }
  }

  override func compute() -> StateBox { TypedStateBox<Value> { closure.unsafelyUnwrapped() } }

  override func compute(into memory: UnsafeMutableRawPointer) {
    // On the stack if it is small.
    withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { new in
      guard let new = new.baseAddress else { return }
      // The memory for the value is zeroed, so that padding bytes are equal in all boxes. Equal values can then be
      // recognized by their bytes.
      UnsafeMutableRawPointer(new).initializeMemory(
        as: UInt8.self,
        repeating: 0,
        count: MemoryLayout<Value>.size
      )
      new.initialize(to: closure.unsafelyUnwrapped())
      memory.assumingMemoryBound(to: Value.self).moveUpdate(from: new, count: 1)
    }
  }

  override func areEqual(_ a: StateBox, _ b: StateBox) -> Bool {
    let layout = layout.load(ordering: .relaxed)?.object ?? findLayout()
    var changes = ChangeSet()
    layout.compare(old: a.address, new: b.address, into: &changes)
    return changes.isEmpty
  }

  private func findLayout() -> StateLayout {
    let found = StateLayout.of(Value.self)
    layout.store(UnretainedReference(found), ordering: .relaxed)
    return found
  }

  override func makeSubstance(_ box: StateBox) -> AnySubstance? {
    TypedSubstance<Value>(
      initial: box,
      name: (Value.self as? any NamedDerivedValue.Type)?.nameOfDerived ?? "a derived \(Value.self)",
      location: location,
      flux: flux,
      isDerived: true
    )
  }

  /// The substance whose state is the derived value, and which notifies its observers and tracked closures.
  var substance: TypedSubstance<Value> {
    // The cast is safe: only `makeSubstance` makes the substance, with this type. It exists at this time.
    unsafeDowncast(anySubstance.unsafelyUnwrapped, to: TypedSubstance<Value>.self)
  }
}

/// A type of values that Flask derives for a client, such as the rows of a view. Traces show the name in place of the
/// name of the type.
package protocol NamedDerivedValue {
  static var nameOfDerived: String { get }
}

/// The objects that this thread has to release, one after another. If each object released the next one, the release of
/// a long chain of derived values would overflow the stack.
private final class ReleaseList {
  private static let slot = ThreadSlot<ReleaseList>()
  private var closures: [Any] = []

  /// Releases the objects in `last`: now, or after the release that is in progress on this thread. No other reference
  /// to them exists.
  static func release(_ last: inout [Any]) {
    if let list = slot.object?.object {
      list.closures += last
      return last = []
    }
    let list = ReleaseList()
    slot.object = UnretainedReference(list)
    swap(&list.closures, &last)
    while list.closures.popLast() != nil {}
    slot.object = nil
  }
}
