/// Walks the leaves of a tree in order.
@usableFromInline
struct EntityCursor {
  private let tree: EntityTree
  /// The offset of the first element of the next leaf.
  private(set) var nextOffset: Int
  /// The numbers of the next leaves and how many elements they have: those below one node of order, which the tree
  /// owns.
  private var children: UnsafeMutablePointer<Int>
  private var counts: UnsafeMutablePointer<Int>
  private var rest = 0
  /// The node of the vector that the last leaf was in, which most of the next ones are in, too, and its first number.
  private var slots: UnsafePointer<UInt>
  private var firstNumber = Int.min

  /// - Parameter offset: That of the first element of a leaf.
  @usableFromInline
  init(_ tree: EntityTree, from offset: Int = 0) {
    self.tree = tree
    nextOffset = offset
    // Never read from: nothing is left there.
    children = UnsafeMutablePointer(bitPattern: MemoryLayout<Int>.alignment) ?? .allocate(capacity: 1)
    counts = children
    slots = UnsafePointer(OpaquePointer(children))
  }

  /// The next leaf; `nil` at the end.
  ///
  /// Valid as long as the cursor, whose tree is a copy of its own. Complexity: O(1), and for every 32th leaf O(log n).
  @usableFromInline
  mutating func next() -> EntityLeafView? {
    if rest == 0, !findNode() { return nil }
    let number = children.pointee
    let count = counts.pointee
    children += 1
    counts += 1
    rest -= 1
    nextOffset += count
    if number & ~(1 << EntityLeaf.slotBits - 1) != firstNumber {
      slots = tree.leaves.slots(around: number)
      firstNumber = number & ~(1 << EntityLeaf.slotBits - 1)
    }
    let address = PersistentVector<EntityLeaf>.address(in: slots[number - firstNumber], of: number)
    return Unmanaged<EntityLeaf>.fromOpaque(address)._withUnsafeGuaranteedRef {
      EntityLeafView(order: $0.order, count: count, isInOrder: $0.infoPointer.pointee.isInOrder)
    }
  }

  /// Goes to the node of order that the next leaf is below.
  private mutating func findNode() -> Bool {
    guard nextOffset < tree.count else { return false }
    var offset = nextOffset
    var number = tree.root
    for _ in 0..<tree.height {
      number = tree.withNode(number) { $0.children[$0.index(at: &offset, forInsertion: false)] }
    }
    tree.withNode(number) { node in
      let index = node.index(at: &offset, forInsertion: false)
      children = node.children + index
      counts = node.counts + index
      rest = node.info.count - index
    }
    return true
  }
}

/// What a leaf has to be walked by.
@usableFromInline
struct EntityLeafView {
  /// Where the bytes of order begin.
  @usableFromInline let order: UnsafeMutablePointer<UInt8>
  @usableFromInline let count: Int
  /// Each element is in the slot of its place in the order.
  @usableFromInline let isInOrder: Bool
}
