/// An object that a `PersistentVector` can hold.
@usableFromInline
protocol VectorObject: AnyObject {
  /// A node has 2 to the power of this number of slots.
  static var slotBits: Int { get }
  /// A number from 1 to 7 that is stored next to the address, so that it is known without reading the object; 0 for an
  /// object without tag. It does not change.
  var tag: UInt { get }
}

extension VectorObject {
  @usableFromInline var tag: UInt { 0 }

  /// Returns the content of a slot that refers to `object`, and retains the object for the slot.
  static func slot(for object: Self) -> UInt {
    let address = UInt(bitPattern: Unmanaged.passRetained(object).toOpaque())
    return VectorNode.hasTags ? address | object.tag << 1 : address
  }
}

/// A node of a `PersistentVector`.
///
/// The slots of level 0 refer to objects; the slots of a higher level refer to nodes of the level below. An unused slot
/// contains 0. A used slot contains the address of an object, which the node retains, plus twice the object's tag. The
/// slot of a freed number contains twice the next freed number plus 1. This is possible since addresses of objects are
/// multiples of 16 on platforms with addresses of 64 bits; on other platforms they are multiples of 8, and slots have
/// no tags.
@usableFromInline
final class VectorNode: ManagedBuffer<VectorNodeHeader, UInt> {
  static func make(level: Int, bits: Int) -> VectorNode {
    let node = VectorNode.create(minimumCapacity: 1 << bits) { _ in VectorNodeHeader(level: level, bits: bits)
    }
    node.withUnsafeMutablePointerToElements { $0.initialize(repeating: 0, count: 1 << bits) }
    // The cast is safe: `create` makes an instance of the class on which it is called.
    return unsafeDowncast(node, to: VectorNode.self)
  }

  func copy() -> VectorNode {
    let copy = VectorNode.make(level: info.level, bits: info.bits)
    for index in 0..<1 << info.bits {
      _ = Self.object(in: slots[index])?.retain()
      copy.slots[index] = slots[index]
    }
    return copy
  }

  /// A copy with copies of all nodes below, but not of the objects, in contiguous memory.
  func copyWithNodesBelow() -> VectorNode {
    if info.level == 0 { return copy() }
    let copy = VectorNode.make(level: info.level, bits: info.bits)
    for index in 0..<1 << info.bits {
      guard let address = UnsafeRawPointer(bitPattern: slots[index]) else { continue }
      // The slots of levels above 0 refer to nodes.
      let node = Unmanaged<VectorNode>.fromOpaque(address)._withUnsafeGuaranteedRef {
        $0.copyWithNodesBelow()
      }
      copy.slots[index] = UInt(bitPattern: Unmanaged.passRetained(node).toOpaque())
    }
    return copy
  }

  deinit {
    for index in 0..<1 << info.bits { Self.object(in: slots[index])?.release() }
  }

  /// Valid as long as the node.
  @inlinable @inline(__always)
  var slots: UnsafeMutablePointer<UInt> { withUnsafeMutablePointerToElements { $0 } }

  /// The slots of the node at an address.
  @inlinable @inline(__always)
  static func slots(at node: UnsafeRawPointer) -> UnsafePointer<UInt> {
    UnsafePointer(Unmanaged<VectorNode>.fromOpaque(node)._withUnsafeGuaranteedRef { $0.slots })
  }

  /// The object that a slot refers to. Every object in a slot is retained for the slot.
  @inline(__always)
  static func object(in slot: UInt) -> Unmanaged<AnyObject>? {
    address(in: slot).map { Unmanaged<AnyObject>.fromOpaque($0) }
  }

  /// The address of the object that a slot refers to; `nil` if it is free.
  @inline(__always)
  static func address(in slot: UInt) -> UnsafeRawPointer? {
    slot & 1 == 0 ? UnsafeRawPointer(bitPattern: slot & ~tagMask) : nil
  }

  @inlinable static var hasTags: Bool { UInt.bitWidth == 64 }

  /// The bits of a slot that do not belong to an address.
  @inlinable static var tagMask: UInt { hasTags ? 15 : 1 }

  /// The tag of the object that a slot refers to; 0 on platforms without tags.
  @inlinable @inline(__always)
  static func tag(in slot: UInt) -> Int {
    hasTags ? Int(truncatingIfNeeded: slot & tagMask) &>> 1 : 0
  }
}

@usableFromInline
struct VectorNodeHeader {
  /// How many levels are below.
  @usableFromInline let storedLevel: UInt32
  let storedBits: UInt32

  init(level: Int, bits: Int) {
    storedLevel = UInt32(truncatingIfNeeded: level)
    storedBits = UInt32(truncatingIfNeeded: bits)
  }

  @inlinable @inline(__always)
  var level: Int { Int(storedLevel) }
  /// The number of slots is 2 to the power of this.
  var bits: Int { Int(storedBits) }
}
