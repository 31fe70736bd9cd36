/// A leaf of an `EntityTree`: up to 32 elements that follow each other.
///
/// An element stays in its slot as long as it is in the leaf, whatever is inserted or removed next to it. So its number
/// in the index by identity stays the same. The order of the slots is stored before the slots, a byte for each. The
/// type of the elements is not known at compile time, so that the structure of the collection is compiled only once.
@usableFromInline
final class EntityLeaf: ManagedBuffer<EntityLeafHeader, UInt8> {
  @inlinable static var bits: Int { 5 }
  @inlinable static var width: Int { 1 << bits }
  /// The offset of the slots from the first byte of the order, before alignment. The bytes before the slots, one for
  /// each slot, store the order of the elements.
  @inlinable static var elementsOffset: Int { width }

  /// An empty leaf.
  static func make(capacity: Int, layout: EntityLayout, stamp: UInt64) -> EntityLeaf {
    let leaf = EntityLeaf.create(
      minimumCapacity: elementsOffset + capacity * layout.stride + layout.slack
    ) { _ in EntityLeafHeader(capacity: capacity, stamp: stamp, layout: layout) }
    // The cast is safe: `create` makes an instance of the class on which it is called.
    return unsafeDowncast(leaf, to: EntityLeaf.self)
  }

  /// A leaf with the same elements in the same slots.
  func copy() -> EntityLeaf { copy(capacity: info.capacity) }

  /// A leaf with the same elements in the same slots, and room for more.
  func copy(capacity: Int) -> EntityLeaf {
    let copy = EntityLeaf.make(capacity: capacity, layout: info.layout, stamp: info.stamp)
    copy.info.parent = info.parent
    copy.info.count = info.count
    copy.info.used = info.used
    copy.info.isInOrder = info.isInOrder
    copy.order.initialize(from: order, count: info.count)
    let layout = info.layout
    let source = UnsafeRawPointer(elements)
    let target = copy.elements
    forEachRun { first, count in
      let from = source + first * layout.stride
      let to = target + first * layout.stride
      // Copies of non-trivial elements leave out the padding. It is copied here, so that elements that have not changed
      // have equal bytes, and count as unchanged in each comparison of bytes.
      if !layout.isTrivial { to.copyMemory(from: from, byteCount: count * layout.stride) }
      layout.record._withUnsafeGuaranteedRef { $0.initialize(to, from: from, count: count) }
    }
    return copy
  }

  deinit {
    let layout = info.layout
    if layout.isTrivial { return }
    let elements = elements
    forEachRun { first, count in
      layout.record._withUnsafeGuaranteedRef {
        $0.deinitialize(elements + first * layout.stride, count: count)
      }
    }
  }

  /// Calls `body` with the first slot and the length of each run of slots that hold elements.
  private func forEachRun(_ body: (_ first: Int, _ count: Int) -> Void) {
    var rest = info.used
    while rest != 0 {
      let first = rest.trailingZeroBitCount
      let count = (~(rest >> UInt32(first))).trailingZeroBitCount
      body(first, count)
      rest &= ~0 << UInt32(first + count)
    }
  }

  /// The numbers of the slots, in the order of the elements. This pointer and `elements` are valid as long as the leaf.
  @inlinable @inline(__always)
  var order: UnsafeMutablePointer<UInt8> { withUnsafeMutablePointerToElements { $0 } }

  /// The first slot.
  var elements: UnsafeMutableRawPointer {
    Self.elements(of: order, alignment: info.layout.alignment)
  }

  /// The address of the first slot of a leaf. `order` is the address of the bytes before the slots, which store the
  /// order of the elements.
  ///
  /// The size of the header is a multiple of the size of a word. For types with a stricter alignment a leaf has slack.
  @inlinable @inline(__always)
  static func elements(of order: UnsafeMutablePointer<UInt8>, alignment: Int) -> UnsafeMutableRawPointer {
    let start = UnsafeMutableRawPointer(order + elementsOffset)
    return start.alignedUp(toMultipleOf: alignment)
  }

  /// The element in a slot.
  func element(_ slot: Int) -> UnsafeMutableRawPointer { elements + slot * info.layout.stride }

  /// The position of a slot in the order; `nil` if the slot holds no element.
  func index(ofSlot slot: Int) -> Int? {
    let order = order
    return (0..<info.count).first { order[$0] == UInt8(truncatingIfNeeded: slot) }
  }

  /// Takes a free slot for an element that is inserted at a position in the order. The leaf must have a free slot.
  func takeSlot(at index: Int) -> Int {
    let slot = (~info.used).trailingZeroBitCount
    if slot != index || index != info.count { info.isInOrder = false }
    info.used |= 1 << UInt32(slot)
    (order + index + 1).update(from: order + index, count: info.count - index)
    order[index] = UInt8(truncatingIfNeeded: slot)
    info.count += 1
    return slot
  }

  /// Frees the slot at a position in the order. Its element was moved out before.
  func freeSlot(at index: Int) {
    if index + 1 < info.count { info.isInOrder = false }
    info.used &= ~(1 << UInt32(order[index]))
    info.count -= 1
    (order + index).update(from: order + index + 1, count: info.count - index)
  }
}

extension EntityLeaf: VectorObject {
  /// The number of slots is small, since a change copies one node of each level. The copy retains, and later releases,
  /// everything that the slots of the node refer to.
  @inlinable static var slotBits: Int { 3 }
}

/// The header of a leaf, which precedes its elements.
@usableFromInline
struct EntityLeafHeader {
  @usableFromInline var count = 0
  let capacity: Int
  /// The number of the order node above the leaf.
  var parent = 0
  /// A number that all states of one leaf share and no other leaf has. Leaves never exchange positions, so two leaves
  /// have the same order in all trees that contain states of both.
  let stamp: UInt64
  let layout: EntityLayout
  // The last two properties fill the rest of the last word of `layout`, if words have 64 bits.
  /// Whether each element is stored in the slot of its position in the leaf.
  var isInOrder = true
  /// The slots that hold elements.
  var used: UInt32 = 0
}

/// The memory layout of the elements, and the way to copy them.
@usableFromInline
struct EntityLayout {
  /// Records are never released.
  let record: Unmanaged<TypeRecord>
  let stride: Int
  let alignment: Int
  let isTrivial: Bool
  /// The extra bytes that a leaf allocates so that its elements can be aligned more strictly than a word is.
  var slack: Int { max(0, alignment - MemoryLayout<Int>.alignment) }

  @usableFromInline
  init<Element>(_ type: Element.Type) {
    record = .passUnretained(.of(type))
    stride = MemoryLayout<Element>.stride
    alignment = MemoryLayout<Element>.alignment
    isTrivial = _isPOD(type)
  }
}
