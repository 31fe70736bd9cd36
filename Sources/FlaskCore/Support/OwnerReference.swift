/// A reference to an object of the user's, which it does not hold: what a `weak` one is, without slowing the object.
///
/// A `weak` reference moves the counts of its object to a side table for good, so that each retain and release of the
/// user's takes several times as long. This one holds the object's memory, as an `unowned` reference does, and asks the
/// runtime to retain the object unless that has begun to go: `swift_tryRetain`, which is what a `weak` reference asks
/// for, too. Where the runtime does not offer it by name, as in a statically linked program, and where objects may be
/// those of Objective-C, it is a `weak` reference.
///
/// The memory of an object that is gone is freed with the last reference to it: this one, too.
///
/// `@unchecked Sendable`: never written after `init`; each reader documents why it may have the object.
final class OwnerReference<Object: AnyObject>: @unchecked Sendable {
  /// `nil` if the object is referred to weakly.
  private let tryRetain: RuntimeFunctions.TryRetain?
  private let address: UnsafeMutableRawPointer
  /// Never loaded, as that would trap once the object is gone: it holds the memory that `address` leads to. `nil` if
  /// the object is referred to weakly.
  private unowned let memory: Object?
  private weak var weak: Object?

  /// - Parameter tryRetain: what retains an object unless it has begun to go, if there is such a function.
  init(_ object: Object, tryRetain: RuntimeFunctions.TryRetain? = RuntimeFunctions.tryRetain) {
    self.tryRetain = tryRetain
    address = Unmanaged.passUnretained(object).toOpaque()
    memory = tryRetain == nil ? nil : object
    if tryRetain == nil { weak = object }
  }

  /// The object, retained by the caller; `nil` once its deallocation has begun. From any thread.
  var object: Object? {
    @inline(__always) get {
      guard let tryRetain else { return weak }
      // The memory is that of the object, which is an `Object`, and is not reused as long as `memory` refers to it.
      guard let retained = tryRetain(address) else { return nil }
      return Unmanaged<Object>.fromOpaque(retained).takeRetainedValue()
    }
  }

  /// Whether the address of the object is not another one's as long as this refers to it, be it gone.
  var keepsAddress: Bool { tryRetain != nil }
}
