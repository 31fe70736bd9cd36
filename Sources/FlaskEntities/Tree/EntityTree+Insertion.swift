extension EntityTree {
  /// Makes room for an element to be inserted at an offset.
  ///
  /// - Returns: the number of the new element; its memory, to be initialised; and the elements whose numbers have
  ///   changed.
  /// - Complexity: O(log n).
  @usableFromInline
  mutating func makeRoom(
    at offset: Int,
    layout: EntityLayout
  ) -> (number: Int, element: UnsafeMutableRawPointer, renumbered: Renumbering) {
    var renumbered: Renumbering = []
    let (leaf, index) = placeWithRoom(at: offset, layout: layout, renumbered: &renumbered)
    let (slot, element) = withUniqueLeaf(leaf) { leaf in
      let slot = leaf.takeSlot(at: index)
      return (slot, leaf.element(slot))
    }
    addCount(1, at: leaf)
    return (leaf << EntityLeaf.bits | slot, element, renumbered)
  }

  /// Returns a leaf that has a free slot, and the position in the leaf that belongs to `offset`. Enlarges, splits or
  /// adds a leaf if necessary.
  private mutating func placeWithRoom(
    at offset: Int,
    layout: EntityLayout,
    renumbered: inout Renumbering
  ) -> (leaf: Int, index: Int) {
    guard root >= 0 else { return (insertFirstLeaf(capacity: 8, layout: layout), 0) }
    let (leaf, index) = locate(offset, forInsertion: true)
    let (count, capacity) = withLeaf(leaf) { ($0.info.count, $0.info.capacity) }
    if count < capacity { return (leaf, index) }
    if capacity < EntityLeaf.width {
      let larger = withLeaf(leaf) { $0.copy(capacity: min(EntityLeaf.width, capacity * 2)) }
      leaves.replace(leaf, with: larger)
      return (leaf, index)
    }
    // At either end of the collection a full leaf is not split, so that a collection that grows there has full leaves.
    if offset == self.count { return (insertLeaf(beside: leaf, after: true, layout: layout), 0) }
    if offset == 0 { return (insertLeaf(beside: leaf, after: false, layout: layout), 0) }
    let upper = insertLeaf(beside: leaf, after: true, layout: layout)
    let half = count / 2
    moveElements(half..<count, from: leaf, to: upper, at: 0, renumbered: &renumbered)
    return index <= half ? (leaf, index) : (upper, index - half)
  }

  private mutating func insertFirstLeaf(capacity: Int, layout: EntityLayout) -> Int {
    let leaf = leaves.insert(.make(capacity: capacity, layout: layout, stamp: Self.nextStamp()))
    root = nodes.insert(.make())
    height = 0
    withUniqueNode(root) { $0.insert(leaf, count: 0, at: 0) }
    setParent(root, of: leaf, level: 0)
    return leaf
  }

  /// Adds a leaf behind all other leaves, which must be full.
  ///
  /// - Returns: the number of the leaf, and the memory of its slots. The first slots must be initialised before `fill`
  ///   counts them.
  @usableFromInline
  mutating func appendLeaf(layout: EntityLayout) -> (number: Int, elements: UnsafeMutableRawPointer) {
    let leaf =
      root < 0
      ? insertFirstLeaf(capacity: EntityLeaf.width, layout: layout)
      : insertLeaf(beside: locate(count, forInsertion: true).leaf, after: true, layout: layout)
    return (leaf, withLeaf(leaf) { $0.elements })
  }

  /// Records that the first slots of an appended leaf hold elements.
  @usableFromInline
  mutating func fill(_ leaf: Int, count: Int) {
    withLeaf(leaf) { for index in 0..<count { _ = $0.takeSlot(at: index) } }
    addCount(count, at: leaf)
  }

  private mutating func insertLeaf(beside sibling: Int, after: Bool, layout: EntityLayout) -> Int {
    let isLast = after && offset(ofLeaf: sibling) + withLeaf(sibling) { $0.info.count } == count
    let leaf = leaves.insert(.make(capacity: EntityLeaf.width, layout: layout, stamp: Self.nextStamp()))
    let parent = withLeaf(sibling) { $0.info.parent }
    let index = withNode(parent) { $0.index(of: sibling) ?? 0 }
    insert(leaf, count: 0, at: after ? index + 1 : index, in: parent, level: 0, isLast: isLast)
    return leaf
  }

  /// Moves elements of a leaf to a position in another leaf, which must have room.
  mutating func moveElements(
    _ range: Range<Int>,
    from source: Int,
    to target: Int,
    at index: Int,
    renumbered: inout Renumbering
  ) {
    // Both leaves are made unique before elements move, since making them unique may copy the elements.
    let layout = withUniqueLeaf(source) { $0.info.layout }
    for (count, place) in range.enumerated() {
      let (slot, element) = withUniqueLeaf(target) { leaf in
        let slot = leaf.takeSlot(at: index + count)
        return (slot, leaf.element(slot))
      }
      withLeaf(source) { leaf in
        let old = Int(leaf.order[place])
        layout.record._withUnsafeGuaranteedRef { $0.moveInitialize(element, from: leaf.element(old)) }
        renumbered.append((source << EntityLeaf.bits | old, target << EntityLeaf.bits | slot))
      }
    }
    withUniqueLeaf(source) { leaf in for index in range.reversed() { leaf.freeSlot(at: index) } }
    addCount(-range.count, at: source)
    addCount(range.count, at: target)
  }

  /// Inserts a child into an `OrderNode`, and splits a full node.
  ///
  /// - Parameters:
  ///   - level: The level of the node, whose children are leaves at level 0.
  ///   - isLast: whether the child comes after all others of its level. In this case a full node keeps all its
  ///     children, and only the new child gets a new node.
  private mutating func insert(
    _ child: Int,
    count: Int,
    at index: Int,
    in parent: Int,
    level: Int,
    isLast: Bool
  ) {
    if withNode(parent, { $0.info.count }) < OrderNode.width {
      return put(child, count: count, at: index, in: parent, level: level)
    }
    let half = isLast ? OrderNode.width : OrderNode.width / 2
    let upper = split(parent, at: half, level: level, isLast: isLast)
    let isBelow = index < half || (index == half && !isLast)
    put(
      child,
      count: count,
      at: isBelow ? index : index - half,
      in: isBelow ? parent : upper,
      level: level
    )
  }

  /// Inserts a child into a node, which must have room.
  private mutating func put(_ child: Int, count: Int, at index: Int, in parent: Int, level: Int) {
    withUniqueNode(parent) { $0.insert(child, count: 0, at: index) }
    setParent(parent, of: child, level: level)
    if count > 0 { addCount(count, toNode: parent, child: child) }
  }

  /// Splits an `OrderNode`: its upper children move to a new node.
  ///
  /// - Returns: the number of the new node.
  private mutating func split(_ number: Int, at half: Int, level: Int, isLast: Bool) -> Int {
    let upper = nodes.insert(.make())
    let moved = withNode(number) { node in
      (half..<node.info.count).map { (child: node.children[$0], count: node.counts[$0]) }
    }
    let total = moved.reduce(0) { $0 + $1.count }
    withUniqueNode(number) { $0.info.count = half }
    withUniqueNode(upper) { node in
      for (index, child) in moved.enumerated() { node.insert(child.child, count: child.count, at: index) }
    }
    for child in moved { setParent(upper, of: child.child, level: level) }
    let parent = withNode(number) { $0.info.parent }
    if parent < 0 {
      let top = OrderNode.make()
      top.insert(number, count: withNode(number) { $0.total }, at: 0)
      top.insert(upper, count: total, at: 1)
      root = nodes.insert(top)
      height += 1
      setParent(root, of: number, level: level + 1)
      setParent(root, of: upper, level: level + 1)
    } else {
      // The elements of the moved children are first subtracted from the counts of all ancestors. Inserting the new
      // node adds them again.
      if total > 0 { addCount(-total, toNode: parent, child: number) }
      let index = withNode(parent) { $0.index(of: number) ?? 0 }
      insert(upper, count: total, at: index + 1, in: parent, level: level + 1, isLast: isLast)
    }
    return upper
  }

  /// Adds `difference` to the element count that an order node has for one child, and to the corresponding counts in
  /// all nodes above.
  mutating func addCount(_ difference: Int, toNode number: Int, child: Int) {
    var child = child
    var number = number
    while number >= 0 {
      let next = withUniqueNode(number) { node in
        if let index = node.index(of: child) { node.counts[index] += difference }
        return node.info.parent
      }
      child = number
      number = next
    }
  }

  mutating func setParent(_ parent: Int, of child: Int, level: Int) {
    if level == 0 {
      withUniqueLeaf(child) { $0.info.parent = parent }
    } else {
      withUniqueNode(child) { $0.info.parent = parent }
    }
  }
}
