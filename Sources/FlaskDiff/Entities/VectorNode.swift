/// A node of a `PersistentVector`.
///
/// The header is the level: the slots of level 0 refer to objects, those of the others to nodes of the level below. A
/// slot holds 0, or the address of an object that the node retains, or twice a free number plus 1: addresses are even.
@usableFromInline
final class VectorNode: ManagedBuffer<Int, UInt> {
  /// The number of slots is 2 to the power of this.
  @inlinable static var bits: Int { 5 }
  @inlinable static var width: Int { 1 << bits }

  /// What it knows beside its slots, valid as long as the object. Through a pointer, since a stored property of a
  /// class is checked for exclusive access each time.
  @inlinable @inline(__always)
  var infoPointer: UnsafeMutablePointer<Int> { withUnsafeMutablePointerToHeader { $0 } }
  @inlinable @inline(__always)
  var info: Int {
    get { infoPointer.pointee }
    _modify { yield &infoPointer.pointee }
  }

  static func make(level: Int) -> VectorNode {
    let node = VectorNode.create(minimumCapacity: width) { _ in level }
    node.withUnsafeMutablePointerToElements { $0.initialize(repeating: 0, count: width) }
    // `create` makes an instance of the class that it is called on.
    return unsafeDowncast(node, to: VectorNode.self)
  }

  func copy() -> VectorNode {
    let copy = VectorNode.make(level: info)
    for index in 0..<Self.width {
      _ = Self.object(in: slots[index])?.retain()
      copy.slots[index] = slots[index]
    }
    return copy
  }

  deinit {
    for index in 0..<Self.width { Self.object(in: slots[index])?.release() }
  }

  /// Valid as long as the node.
  @inlinable @inline(__always)
  var slots: UnsafeMutablePointer<UInt> { withUnsafeMutablePointerToElements { $0 } }

  /// The object that a slot refers to. Every object in a slot is retained for the slot.
  @inline(__always)
  static func object(in slot: UInt) -> Unmanaged<AnyObject>? {
    guard slot & 1 == 0, let address = UnsafeRawPointer(bitPattern: slot) else { return nil }
    return Unmanaged<AnyObject>.fromOpaque(address)
  }
}
