internal import Synchronization

/// An object that contains a value, such as an existential, for code that can store only references to objects.
package final class Held<Value: Sendable>: Sendable {
  package let value: Value

  package init(_ value: Value) { self.value = value }
}

/// An object that is made on first use and then kept. It is read without a lock. Any thread may call any member.
///
/// `@unchecked Sendable`:
/// - Ownership: the slot retains the object until `deinit`.
/// - Invariant: the reference is exchanged atomically, once.
/// - If violated: a use of a released object.
package struct MadeOnce<Object: AnyObject & Sendable>: ~Copyable, @unchecked Sendable {
  private let slot = Atomic<Unmanaged<Object>?>(nil)

  package init() {}

  deinit { slot.load(ordering: .acquiring)?.release() }

  /// The object; `nil` if it was not made. Reading it does not retain it, since the caller retains the owner of this
  /// slot.
  @inline(__always)
  package var present: UnretainedReference<Object>? {
    slot.load(ordering: .acquiring).map { UnretainedReference(reference: $0) }
  }

  /// The object. It is made if it does not exist. If two threads make it at the same time, both get the object that was
  /// stored first.
  package func object(or make: () -> Object) -> Object {
    if let present { return present.object }
    let new = Unmanaged.passRetained(make())
    let (isFirst, other) = slot.compareExchange(expected: nil, desired: new, ordering: .acquiringAndReleasing)
    guard !isFirst, let other else { return new.takeUnretainedValue() }
    new.release()
    return other.takeUnretainedValue()
  }
}
