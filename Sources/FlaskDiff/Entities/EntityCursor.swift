/// Walks the leaves of a tree in order.
@usableFromInline
struct EntityCursor {
  private let tree: EntityTree
  /// The offset of the first element of the next leaf.
  private(set) var nextOffset: Int
  /// The node of order whose children are the next leaves, owned by the tree, and which of them comes next.
  private var node: Unmanaged<OrderNode>?
  private var index = 0

  @usableFromInline
  init(_ tree: EntityTree) {
    self.tree = tree
    nextOffset = 0
  }

  /// Where the bytes of order of the next leaf begin, and how many elements it has; `nil` at the end.
  ///
  /// Valid as long as the cursor, whose tree is a copy of its own. Complexity: O(1), and for every 32th leaf O(log n).
  @usableFromInline
  mutating func next() -> (order: UnsafeMutablePointer<UInt8>, count: Int)? {
    guard let leaf = nextLeaf() else { return nil }
    return leaf._withUnsafeGuaranteedRef { ($0.order, $0.header.count) }
  }

  mutating func nextLeaf() -> Unmanaged<EntityLeaf>? {
    guard nextOffset < tree.count else { return nil }
    if let node, index < node._withUnsafeGuaranteedRef({ $0.header.count }) {
      return leaf(at: index, of: node)
    }
    let (leaf, _) = tree.locate(nextOffset)
    let parent = tree.withLeaf(leaf) { $0.header.parent }
    let node = Unmanaged<OrderNode>.fromOpaque(tree.nodes[parent])
    self.node = node
    return self.leaf(at: node._withUnsafeGuaranteedRef { $0.index(of: leaf) ?? 0 }, of: node)
  }

  private mutating func leaf(at place: Int, of node: Unmanaged<OrderNode>) -> Unmanaged<EntityLeaf> {
    let (number, count) = node._withUnsafeGuaranteedRef { ($0.children[place], $0.counts[place]) }
    index = place + 1
    nextOffset += count
    return .fromOpaque(tree.leaves[number])
  }
}
