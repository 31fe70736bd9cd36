/// A non-retaining reference to an object of client code. It works like a `weak` reference, but does not make the
/// object slower.
///
/// A `weak` reference moves the counts of its object to a side table for good, so that each retain and release of
/// client code takes several times as long. This type keeps the object's memory allocated, as an `unowned` reference
/// does. It asks the runtime to retain the object unless its deallocation has begun: `swift_tryRetain`, which a `weak`
/// reference calls, too. A `weak` reference is used where the runtime does not offer this function by name, as in a
/// statically linked program, and where objects may be of Objective-C classes.
///
/// The memory of a deinitialized object is freed with its last unowned reference. This reference is one.
///
/// `@unchecked Sendable`:
/// - Invariant: never written after `init`; each reader documents why it may have the object.
/// - If violated: the object may be released on the wrong thread.
final class OwnerReference<Object: AnyObject>: @unchecked Sendable {
  /// The function of the runtime that retains an object unless its deallocation has begun; `nil` if the object is
  /// referenced by `weak`.
  private let tryRetain: RuntimeFunctions.TryRetain?
  private let address: UnsafeMutableRawPointer
  /// Keeps the object's memory allocated, so that no other object gets its address. This reference is never loaded,
  /// since a load after deinitialization traps. `nil` if the object is referenced by `weak` instead.
  private unowned let memory: Object?
  private weak var weak: Object?

  /// - Parameter tryRetain: retains an object unless its deallocation has begun; `nil` if the runtime has no such
  ///   function.
  init(_ object: Object, tryRetain: RuntimeFunctions.TryRetain? = RuntimeFunctions.tryRetain) {
    self.tryRetain = tryRetain
    address = Unmanaged.passUnretained(object).toOpaque()
    memory = tryRetain == nil ? nil : object
    if tryRetain == nil { weak = object }
  }

  /// The object, retained for the caller; `nil` once its deallocation has begun. May be read on any thread.
  var object: Object? {
    @inline(__always) get {
      guard let tryRetain else { return weak }
      // The address always refers to an `Object`, which may be deinitialized: `memory` prevents the allocator from
      // reusing the address.
      guard let retained = tryRetain(address) else { return nil }
      return Unmanaged<Object>.fromOpaque(retained).takeRetainedValue()
    }
  }

  /// `true` if no other object can get the object's address while this reference exists, even after the object's
  /// deinitialization.
  var keepsAddress: Bool { tryRetain != nil }
}
