internal import Synchronization

/// Elements in leaves, and the order of the leaves.
///
/// Leaves and order nodes refer to each other by numbers. So a change of an element copies the leaf and the nodes of
/// one `PersistentVector`, and no order node. The number of an element consists of the number of its leaf and of its
/// slot in the leaf. Uniquely referenced nodes are changed in place.
///
/// ```text
/// by offset (OrderNode)                by identity (IdentityIndex)
///          root: counts 3 | 2                 hash of the identity
///          ╱            ╲                             │
///   leaf 0: a c b     leaf 1: e d              page: hash, number
///   slots   a b c     slots   d e                     │
///   order   0 2 1     order   1 0           number 1 = leaf 0, slot 1: b
/// ```
@usableFromInline
struct EntityTree {
  @usableFromInline var leaves = PersistentVector<EntityLeaf>()
  var nodes = PersistentVector<OrderNode>()
  /// The number of the topmost order node; -1 if the tree has no elements.
  var root = -1
  /// The number of levels of order nodes above the lowest level.
  var height = 0
  @usableFromInline var count = 0

  init() {}

  private static let lastStamp = Atomic<UInt64>(0)

  static func nextStamp() -> UInt64 { lastStamp.wrappingAdd(1, ordering: .relaxed).newValue }

  /// The bounds for joining leaves and nodes. If a leaf or a node has fewer entries than the first bound, it is joined
  /// with a neighbour, provided that both together have at most as many as the second bound.
  static var joinsBelow: Int { 8 }
  static var joinedAtMost: Int { 24 }

  // MARK: Access

  // The following functions pass a node to a closure, and do not return it. A second reference to the node would
  // prevent changing it in place.

  func withLeaf<Result>(_ number: Int, _ body: (EntityLeaf) -> Result) -> Result {
    Unmanaged<EntityLeaf>.fromOpaque(leaves[number])._withUnsafeGuaranteedRef(body)
  }

  func withNode<Result>(_ number: Int, _ body: (OrderNode) -> Result) -> Result {
    Unmanaged<OrderNode>.fromOpaque(nodes[number])._withUnsafeGuaranteedRef(body)
  }

  mutating func withUniqueLeaf<Result>(_ number: Int, _ body: (EntityLeaf) -> Result) -> Result {
    let leaf = leaves.makeUnique(number) { $0.copy() }
    return Unmanaged<EntityLeaf>.fromOpaque(leaf)._withUnsafeGuaranteedRef(body)
  }

  mutating func withUniqueNode<Result>(_ number: Int, _ body: (OrderNode) -> Result) -> Result {
    let node = nodes.makeUnique(number) { $0.copy() }
    return Unmanaged<OrderNode>.fromOpaque(node)._withUnsafeGuaranteedRef(body)
  }

  /// The element with a number, in a uniquely referenced leaf. Valid until the tree changes.
  @usableFromInline
  mutating func uniqueElement(_ number: Int) -> UnsafeMutableRawPointer {
    withUniqueLeaf(number >> EntityLeaf.bits) { $0.element(number & (EntityLeaf.width - 1)) }
  }

  // MARK: Positions

  /// Finds the leaf and the position of the element at an offset.
  ///
  /// - Parameter forInsertion: whether an offset between two leaves means the end of the first leaf, and not the
  ///   beginning of the second.
  func locate(_ offset: Int, forInsertion: Bool = false) -> (leaf: Int, index: Int) {
    if forInsertion, offset == count {
      let leaf = lastLeaf
      return (leaf, withLeaf(leaf) { $0.info.count })
    }
    return withLowestNode(at: offset, forInsertion: forInsertion) { ($0.children[$1], $2) }
  }

  /// The number of the last leaf. The tree must have one.
  private var lastLeaf: Int {
    var number = root
    for _ in 0...height { number = withNode(number) { $0.children[$0.info.count - 1] } }
    return number
  }

  /// Passes to `body` the order node above the leaf at an offset, the position of the leaf in the node, and the offset
  /// within the leaf.
  func withLowestNode<Result>(
    at offset: Int,
    forInsertion: Bool,
    _ body: (_ node: OrderNode, _ index: Int, _ rest: Int) -> Result
  ) -> Result {
    var number = root
    var rest = offset
    for _ in 0..<height {
      (number, rest) = withNode(number) { node in
        let place = node.place(of: rest, forInsertion: forInsertion)
        return (node.children[place.index], place.rest)
      }
    }
    return withNode(number) { node in
      let place = node.place(of: rest, forInsertion: forInsertion)
      return body(node, place.index, place.rest)
    }
  }

  /// The number of the element at an offset.
  @usableFromInline
  func number(at offset: Int) -> Int {
    let (leaf, index) = locate(offset)
    return withLeaf(leaf) { leaf << EntityLeaf.bits | Int($0.order[index]) }
  }

  /// The offset of the element with a number.
  @usableFromInline
  func offset(of number: Int) -> Int {
    let leaf = number >> EntityLeaf.bits
    let index = withLeaf(leaf) { $0.index(ofSlot: number & (EntityLeaf.width - 1)) ?? 0 }
    return offset(ofLeaf: leaf) + index
  }

  /// The offset of the first element of a leaf.
  func offset(ofLeaf leaf: Int) -> Int {
    var offset = 0
    var child = leaf
    var parent = withLeaf(leaf) { $0.info.parent }
    while parent >= 0 {
      let number = parent
      withNode(number) { node in
        let counts = node.counts
        for index in 0..<(node.index(of: child) ?? 0) { offset += counts[index] }
        parent = node.info.parent
      }
      child = number
    }
    return offset
  }

  /// Records that elements were added to a leaf or removed from it.
  mutating func addCount(_ difference: Int, at leaf: Int) {
    count += difference
    addCount(difference, toNode: withLeaf(leaf) { $0.info.parent }, child: leaf)
  }
}

/// Elements that were moved to other slots, each with its old and new number.
@usableFromInline typealias Renumbering = [(old: Int, new: Int)]
