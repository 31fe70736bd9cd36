internal import FlaskDiff

/// The elements of one version of `Entities` by the numbers of their slots, without their type.
///
/// An element keeps its number as long as it is in its leaf. So an order of elements can be kept as a list of numbers,
/// and is changed at the numbers that differ between two versions.
///
/// `@unchecked Sendable`:
/// - Invariant: the nodes are shared, so they are not changed.
/// - If violated: a data race.
package struct EntitySlots: @unchecked Sendable {
  private let tree: EntityTree

  fileprivate init(_ tree: EntityTree) { self.tree = tree }

  package var count: Int { tree.count }

  /// Whether this is the same version as another one. `false` also for equal versions that share nothing.
  package func isSame(as other: EntitySlots) -> Bool {
    tree.leaves.root === other.tree.leaves.root && tree.nodes.root === other.tree.nodes.root
      && tree.count == other.tree.count
  }

  /// The address of the element with a number. Valid as long as this value.
  package func element(_ number: Int) -> UnsafeRawPointer {
    tree.withLeaf(number >> EntityLeaf.bits) {
      UnsafeRawPointer($0.element(number & (EntityLeaf.width - 1)))
    }
  }

  /// The number of the element at an offset.
  package func number(at offset: Int) -> Int { tree.number(at: offset) }

  /// The offset of the element with a number.
  package func offset(of number: Int) -> Int { tree.offset(of: number) }

  /// Whether an element is before another one. Complexity: O(log n); O(1) in one leaf.
  package func isBefore(_ a: Int, _ b: Int) -> Bool {
    let leaf = a >> EntityLeaf.bits
    if leaf != b >> EntityLeaf.bits { return tree.offset(of: a) < tree.offset(of: b) }
    return tree.withLeaf(leaf) { leaf in
      let mask = EntityLeaf.width - 1
      return leaf.index(ofSlot: a & mask) ?? 0 < leaf.index(ofSlot: b & mask) ?? 0
    }
  }

  /// Calls `body` with each element and its number, in order.
  package func forEach(_ body: (_ element: UnsafeRawPointer, _ number: Int) -> Void) {
    let stride = tree.layout?.stride ?? 0
    var slots = SlotIterator(tree, from: 0)
    while let slot = slots.nextSlot() {
      body(UnsafeRawPointer(slot.elements + slot.index * stride), slot.number)
    }
  }

  /// Walks the numbers in order, beginning at an offset.
  package func makeIterator(from offset: Int) -> Iterator {
    Iterator(slots: SlotIterator(tree, from: offset))
  }

  /// `@unchecked Sendable`, as the slots.
  package struct Iterator: IteratorProtocol, @unchecked Sendable {
    fileprivate var slots: SlotIterator
    package mutating func next() -> Int? { slots.nextSlot()?.number }
  }

  /// The numbers whose elements differ from those of an older version, or from any other one.
  ///
  /// Elements of numbers that are not listed have the same bits, and the same order among each other. Complexity:
  /// O(changes · log n), with the elements of a leaf for each change.
  package func changes(
    from old: EntitySlots,
    haveSameIdentity: (UnsafeRawPointer, UnsafeRawPointer) -> Bool
  ) -> SlotChanges {
    var changes = SlotChanges()
    PersistentVector.forEachDifference(old.tree.leaves, tree.leaves) { number, a, b in
      changes.compare(Leaf(a), Leaf(b), first: number << EntityLeaf.bits, haveSameIdentity)
    }
    return changes
  }
}

/// The numbers of elements that differ between two versions of `Entities`.
package struct SlotChanges {
  /// The numbers of elements that only the old version has, or that have another position or another number there.
  package private(set) var gone: [Int] = []
  /// The numbers of elements that only the new version has, or that have another position or another number there.
  package private(set) var come: [Int] = []
  /// The numbers of elements whose bits differ.
  package private(set) var updated: [Int] = []

  package init() {}

  package var count: Int { gone.count + come.count + updated.count }

  /// Adds elements that count as updated, though their bits are the same.
  package mutating func add(updated others: [Int]) {
    if others.isEmpty { return }
    let known = Set(gone).union(come).union(updated)
    updated += Set(others).subtracting(known).sorted()
  }

  fileprivate mutating func compare(
    _ old: Leaf?,
    _ new: Leaf?,
    first: Int,
    _ haveSameIdentity: (UnsafeRawPointer, UnsafeRawPointer) -> Bool
  ) {
    var both: UInt32 = 0
    if let old, let new, old.stamp == new.stamp {
      both = old.used & new.used
      if !old.hasSameOrder(as: new, of: both) { both = 0 }
    }
    var changed: UInt32 = 0
    if both != 0, let old, let new { changed = old.updates(new, of: &both, haveSameIdentity) }
    Self.forEachBit(changed) { updated.append(first | $0) }
    Self.forEachBit((old?.used ?? 0) & ~both) { gone.append(first | $0) }
    Self.forEachBit((new?.used ?? 0) & ~both) { come.append(first | $0) }
  }

  fileprivate static func forEachBit(_ bits: UInt32, _ body: (Int) -> Void) {
    var rest = bits
    while rest != 0 {
      body(rest.trailingZeroBitCount)
      rest &= rest - 1
    }
  }
}

/// A leaf as a comparison reads it. Valid as long as the leaf.
private struct Leaf {
  let used: UInt32
  let stamp: UInt64
  private let order: UnsafeMutablePointer<UInt8>
  private let count: Int
  private let isInOrder: Bool
  private let elements: UnsafeRawPointer
  private let stride: Int
  private let record: Unmanaged<TypeRecord>

  init?(_ address: UnsafeRawPointer?) {
    guard let address else { return nil }
    let leaf = Unmanaged<EntityLeaf>.fromOpaque(address)
    let info = leaf._withUnsafeGuaranteedRef { $0.infoPointer }
    order = leaf._withUnsafeGuaranteedRef { $0.order }
    (used, stamp, count, isInOrder) =
      (info.pointee.used, info.pointee.stamp, info.pointee.count, info.pointee.isInOrder)
    elements = UnsafeRawPointer(EntityLeaf.elements(of: order, alignment: info.pointee.layout.alignment))
    stride = info.pointee.layout.stride
    record = info.pointee.layout.record
  }

  /// Whether the elements in some slots have the same order in another state of this leaf.
  func hasSameOrder(as other: Leaf, of slots: UInt32) -> Bool {
    if isInOrder && other.isInOrder { return true }
    func ordered(_ leaf: Leaf) -> [UInt8] {
      (0..<leaf.count).map { leaf.order[$0] }.filter { slots & 1 << UInt32($0) != 0 }
    }
    return ordered(self) == ordered(other)
  }

  /// The slots whose elements have other bits in another state of this leaf. Slots whose elements have another identity
  /// there are removed from `both`.
  func updates(
    _ other: Leaf,
    of both: inout UInt32,
    _ haveSameIdentity: (UnsafeRawPointer, UnsafeRawPointer) -> Bool
  ) -> UInt32 {
    var changed: UInt32 = 0
    SlotChanges.forEachBit(both) { slot in
      let a = elements + slot * stride
      let b = other.elements + slot * stride
      if record._withUnsafeGuaranteedRef({ $0.areBitsEqual(a, b) }) { return }
      if haveSameIdentity(a, b) { changed |= 1 << UInt32(slot) } else { both &= ~(1 << UInt32(slot)) }
    }
    return changed
  }
}

extension Entities {
  /// The elements by the numbers of their slots.
  package var slots: EntitySlots { EntitySlots(tree) }

  /// The number of the slot of the element with an identity; `nil` if no element has it.
  package func slotNumber(of id: Element.ID) -> Int? { number(of: id) }
}
