public import Synchronization

/// A non-retaining reference to an object that another owner keeps alive while the reference is used.
///
/// Each use documents the owner that retains the object in the meantime. The type is used for speed: each retain in a
/// mix costs as much as a comparison of a state.
@usableFromInline
package struct UnretainedReference<Object: AnyObject>: @unchecked Sendable {
  // `@unchecked`:
  // - Ownership: another owner keeps the object alive; each place that stores a reference names it.
  // - Isolation: each place that stores a reference documents the thread that uses the object.
  // - If violated: a use of a deallocated object, or a data race.
  @usableFromInline package let reference: Unmanaged<Object>

  @inlinable
  package init(reference: Unmanaged<Object>) { self.reference = reference }

  @inlinable
  @inline(__always)
  package init(_ object: Object) { reference = .passUnretained(object) }

  /// Calls `body` with the object, and does not retain the object for the call.
  @inlinable
  @inline(__always)
  package func use<Result>(_ body: (Object) throws -> Result) rethrows -> Result {
    try reference._withUnsafeGuaranteedRef(body)
  }

  /// The object, counted.
  @inlinable
  package var object: Object { reference.takeUnretainedValue() }

  @inlinable
  @inline(__always)
  package func isSame(as object: Object) -> Bool {
    reference.toOpaque() == Unmanaged.passUnretained(object).toOpaque()
  }

  @inlinable
  package static func == (a: UnretainedReference, b: UnretainedReference) -> Bool {
    a.reference.toOpaque() == b.reference.toOpaque()
  }

  // MARK: Counting by hand

  /// A reference that retains its object until `release()`.
  @inlinable
  package static func owned(_ object: Object) -> UnretainedReference {
    UnretainedReference(reference: .passRetained(object))
  }

  @inlinable
  package func retain() { _ = reference.retain() }
  @inlinable
  package func release() { reference.release() }
  /// Returns the object, and transfers the ownership of this reference to the caller.
  func takeOwned() -> Object { reference.takeRetainedValue() }
}

extension UnretainedReference: AtomicRepresentable {
  @usableFromInline package typealias AtomicRepresentation = Unmanaged<Object>.AtomicRepresentation

  @inlinable
  package static func encodeAtomicRepresentation(_ value: consuming UnretainedReference)
    -> AtomicRepresentation
  {
    Unmanaged<Object>.encodeAtomicRepresentation(value.reference)
  }

  @inlinable
  package static func decodeAtomicRepresentation(_ storage: consuming AtomicRepresentation)
    -> UnretainedReference
  {
    UnretainedReference(reference: Unmanaged<Object>.decodeAtomicRepresentation(storage))
  }
}

extension UnretainedReference: AtomicOptionalRepresentable {
  @usableFromInline package typealias AtomicOptionalRepresentation = Unmanaged<Object>
    .AtomicOptionalRepresentation

  @inlinable
  package static func encodeAtomicOptionalRepresentation(_ value: consuming UnretainedReference?)
    -> AtomicOptionalRepresentation
  {
    Unmanaged<Object>.encodeAtomicOptionalRepresentation(value.map { $0.reference })
  }

  @inlinable
  package static func decodeAtomicOptionalRepresentation(_ storage: consuming AtomicOptionalRepresentation)
    -> UnretainedReference?
  {
    Unmanaged<Object>.decodeAtomicOptionalRepresentation(storage).map { UnretainedReference(reference: $0) }
  }
}
