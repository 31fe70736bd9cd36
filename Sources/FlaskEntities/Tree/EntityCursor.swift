/// Walks the leaves of a tree in order.
@usableFromInline
struct EntityCursor {
  private let tree: EntityTree
  /// The offset of the first element of the next leaf.
  private(set) var nextOffset: Int
  /// The numbers of the next leaves below the present order node, and the counts of their elements. The tree owns the
  /// node. `nil` before the first leaf.
  private var children: UnsafeMutablePointer<Int>?
  private var counts: UnsafeMutablePointer<Int>?
  private var rest = 0
  /// The number of the leaf that `next()` returned last.
  private(set) var lastLeaf = -1
  private var place = VectorPlace<EntityLeaf>()

  /// - Parameter offset: the offset of the first element of the leaf with which the walk begins.
  @usableFromInline
  init(_ tree: EntityTree, from offset: Int = 0) {
    self.tree = tree
    nextOffset = offset
  }

  /// The next leaf; `nil` at the end.
  ///
  /// Valid as long as the cursor, which has its own copy of the tree. Complexity: O(1) on average if leaves were made
  /// in the order in which they follow each other, else O(log n).
  @usableFromInline
  mutating func next() -> EntityLeafView? {
    if rest == 0 { findNode() }
    guard rest > 0, let child = children, let childCount = counts else { return nil }
    let count = childCount.pointee
    children = child + 1
    counts = childCount + 1
    rest -= 1
    nextOffset += count
    lastLeaf = child.pointee
    let address = place.address(of: lastLeaf, in: tree.leaves)
    return Unmanaged<EntityLeaf>.fromOpaque(address)._withUnsafeGuaranteedRef {
      EntityLeafView(order: $0.order, count: count, isInOrder: $0.infoPointer.pointee.isInOrder)
    }
  }

  /// Advances to the order node above the next leaf, if a leaf follows.
  private mutating func findNode() {
    guard nextOffset < tree.count else { return }
    tree.withLowestNode(at: nextOffset, forInsertion: false) { node, index, _ in
      children = node.children + index
      counts = node.counts + index
      rest = node.info.count - index
    }
  }
}

/// The data of a leaf that an iteration over its elements needs.
@usableFromInline
struct EntityLeafView {
  /// The address of the bytes that store the order of the leaf's slots, one byte for each element.
  @usableFromInline let order: UnsafeMutablePointer<UInt8>
  @usableFromInline let count: Int
  /// Whether each element is stored in the slot of its position in the leaf.
  @usableFromInline let isInOrder: Bool
}
