/// A derived value of one type.
final class DerivedNode<Value: Sendable>: AnyDerivedNode, @unchecked Sendable {
  private let closure: @Sendable () -> Value

  init(flux: Flux, location: SourceLocation, _ closure: @escaping @Sendable () -> Value) {
    self.closure = closure
    super.init(flux: flux, location: location)
  }

  override var derivedType: Any.Type { Value.self }

  override func compute() -> StateBox { TypedStateBox<Value> { closure() } }

  override func compute(into memory: UnsafeMutableRawPointer) {
    // On the stack if it is small.
    withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { new in
      guard let new = new.baseAddress else { return }
      // So that its padding is that of the other boxes.
      UnsafeMutableRawPointer(new).initializeMemory(
        as: UInt8.self,
        repeating: 0,
        count: MemoryLayout<Value>.size
      )
      new.initialize(to: closure())
      memory.assumingMemoryBound(to: Value.self).moveUpdate(from: new, count: 1)
    }
  }

  override func areEqual(_ a: StateBox, _ b: StateBox) -> Bool {
    let layout = StateLayout.of(Value.self, example: a.address.assumingMemoryBound(to: Value.self))
    var changes = ChangeSet()
    layout.compare(old: a.address, new: b.address, into: &changes)
    return changes.isEmpty
  }

  override func makeSubstance(_ box: StateBox) -> AnySubstance? {
    TypedSubstance<Value>(
      initial: box,
      name: "a derived \(Value.self)",
      location: location,
      flux: flux,
      isDerived: true
    )
  }

  /// What observers and trackers are notified by.
  var substance: TypedSubstance<Value> {
    // There is always one: `makeSubstance` has made it, and no other.
    unsafeDowncast(anySubstance.unsafelyUnwrapped, to: TypedSubstance<Value>.self)
  }
}
