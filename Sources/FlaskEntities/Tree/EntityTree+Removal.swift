extension EntityTree {
  /// Removes the element with a number. The element was moved out of its memory before.
  ///
  /// - Returns: the other elements whose numbers have changed.
  /// - Complexity: O(log n).
  @usableFromInline
  mutating func free(_ number: Int) -> Renumbering {
    var renumbered: Renumbering = []
    let leaf = number >> EntityLeaf.bits
    let (count, parent) = withUniqueLeaf(leaf) { leaf in
      if let index = leaf.index(ofSlot: number & (EntityLeaf.width - 1)) { leaf.freeSlot(at: index) }
      return (leaf.info.count, leaf.info.parent)
    }
    addCount(-1, at: leaf)
    if count == 0 {
      removeChild(leaf, of: parent, level: 0)
    } else if count < Self.joinsBelow, let (sibling, isBefore) = sibling(of: leaf, in: parent) {
      let siblingCount = withLeaf(sibling) { $0.info.count }
      guard siblingCount + count <= Self.joinedAtMost else { return renumbered }
      let index = isBefore ? siblingCount : 0
      if withLeaf(sibling, { $0.info.capacity }) < EntityLeaf.width {
        leaves.replace(sibling, with: withLeaf(sibling) { $0.copy(capacity: EntityLeaf.width) })
      }
      moveElements(0..<count, from: leaf, to: sibling, at: index, renumbered: &renumbered)
      removeChild(leaf, of: parent, level: 0)
    }
    return renumbered
  }

  /// The neighbour of a leaf or node below an order node, with which it may be joined. Of two neighbours, the one with
  /// fewer elements.
  private func sibling(of child: Int, in parent: Int) -> (number: Int, isBefore: Bool)? {
    withNode(parent) { node in
      guard let index = node.index(of: child), node.info.count > 1 else { return nil }
      let isBefore =
        index + 1 == node.info.count || (index > 0 && node.counts[index - 1] < node.counts[index + 1])
      return (node.children[isBefore ? index - 1 : index + 1], isBefore)
    }
  }

  /// Removes a leaf or node that has no elements from the order node above it.
  private mutating func removeChild(_ child: Int, of parent: Int, level: Int) {
    let (count, above) = withUniqueNode(parent) { node in
      if let index = node.index(of: child) { node.remove(at: index) }
      return (node.info.count, node.info.parent)
    }
    if level == 0 { leaves.remove(child) } else { nodes.remove(child) }
    if count == 0 {
      guard above >= 0 else {
        nodes.remove(parent)
        root = -1
        height = 0
        return
      }
      removeChild(parent, of: above, level: level + 1)
    } else if above < 0 {
      if count == 1, level > 0 { removeRoot() }
    } else if count < Self.joinsBelow {
      join(parent, in: above, level: level)
    }
  }

  /// Makes the only child of the topmost node the topmost node, as long as this node has one child.
  private mutating func removeRoot() {
    while height > 0, withNode(root, { $0.info.count }) == 1 {
      let child = withNode(root) { $0.children[0] }
      nodes.remove(root)
      root = child
      height -= 1
      withUniqueNode(root) { $0.info.parent = -1 }
    }
  }

  /// Moves the children of an order node to its neighbour, and removes the node, if both together have few enough
  /// children.
  private mutating func join(_ number: Int, in parent: Int, level: Int) {
    guard let (sibling, isBefore) = sibling(of: number, in: parent) else { return }
    let children = withNode(number) { node in
      (0..<node.info.count).map { (child: node.children[$0], count: node.counts[$0]) }
    }
    let siblingCount = withNode(sibling) { $0.info.count }
    guard siblingCount + children.count <= Self.joinedAtMost else { return }
    withUniqueNode(sibling) { node in
      for (index, child) in children.enumerated() {
        node.insert(child.child, count: child.count, at: isBefore ? siblingCount + index : index)
      }
    }
    for child in children { setParent(sibling, of: child.child, level: level) }
    let total = children.reduce(0) { $0 + $1.count }
    withUniqueNode(parent) { node in
      if let index = node.index(of: number) { node.counts[index] = 0 }
      if let index = node.index(of: sibling) { node.counts[index] += total }
    }
    removeChild(number, of: parent, level: level + 1)
  }
}
