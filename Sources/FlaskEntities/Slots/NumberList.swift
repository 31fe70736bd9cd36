/// A list of small numbers whose copies share their common parts, such as an order of the elements of `Entities`.
///
/// It is an `EntityTree` of four-byte elements. Access by offset, insertion and removal: O(log n). A number takes about
/// 8 bytes in a list that was made at once, and less than 20 bytes after any changes.
///
/// `@unchecked Sendable`, because of the nodes, which are objects:
/// - Invariant: a node is changed only by the one value that references it uniquely.
/// - If violated: a data race.
package struct NumberList: @unchecked Sendable {
  private var tree = EntityTree()

  /// Complexity: O(n).
  package init(_ numbers: [UInt32]) {
    let layout = EntityLayout(UInt32.self)
    var start = 0
    while start < numbers.count {
      let end = min(start + EntityLeaf.width, numbers.count)
      let (leaf, memory) = tree.appendLeaf(layout: layout)
      numbers.withUnsafeBufferPointer {
        let slots = memory.assumingMemoryBound(to: UInt32.self)
        for place in start..<end { (slots + place - start).initialize(to: $0[place]) }
      }
      tree.fill(leaf, count: end - start)
      start = end
    }
  }

  package var count: Int { tree.count }

  /// The number at an offset from 0 to before `count`.
  package subscript(offset: Int) -> Int {
    let (leaf, index) = tree.locate(offset)
    return tree.withLeaf(leaf) { Self.number(at: index, in: $0) }
  }

  private static func number(at index: Int, in leaf: EntityLeaf) -> Int {
    Int(leaf.element(Int(leaf.order[index])).assumingMemoryBound(to: UInt32.self).pointee)
  }

  package mutating func insert(_ number: Int, at offset: Int) {
    let room = tree.makeRoom(at: offset, layout: EntityLayout(UInt32.self))
    room.element.assumingMemoryBound(to: UInt32.self).initialize(to: UInt32(truncatingIfNeeded: number))
  }

  package mutating func remove(at offset: Int) { _ = tree.free(tree.number(at: offset)) }

  /// The offset of the first number for which `isBehind` is true; `count` if it is true for none. It must be true for
  /// all numbers behind that one. If it is not, the result is any offset from 0 to `count`.
  package func firstOffset(where isBehind: (Int) -> Bool) -> Int {
    if tree.root < 0 { return 0 }
    var node = tree.root
    var offset = 0
    for level in (0...tree.height).reversed() {
      node = tree.withNode(node) { node in
        // The last child whose first number is not behind, or the first child.
        var first = 1
        var end = node.info.count
        while first < end {
          let middle = (first + end) / 2
          if isBehind(firstNumber(below: node.children[middle], level: level)) {
            end = middle
          } else {
            first = middle + 1
          }
        }
        for child in 0..<first - 1 { offset += node.counts[child] }
        return node.children[first - 1]
      }
    }
    return tree.withLeaf(node) { leaf in
      var first = 0
      var end = leaf.info.count
      while first < end {
        let middle = (first + end) / 2
        if isBehind(Self.number(at: middle, in: leaf)) { end = middle } else { first = middle + 1 }
      }
      return offset + first
    }
  }

  /// The first number below a child of an order node on a level.
  private func firstNumber(below child: Int, level: Int) -> Int {
    var child = child
    for _ in 0..<level { child = tree.withNode(child) { $0.children[0] } }
    return tree.withLeaf(child) { Self.number(at: 0, in: $0) }
  }

  /// Walks the numbers, beginning at an offset.
  package func makeIterator(from offset: Int) -> Iterator { Iterator(tree, from: offset) }

  /// `@unchecked Sendable`, as the list.
  package struct Iterator: IteratorProtocol, @unchecked Sendable {
    private var slots: SlotIterator
    private let tree: EntityTree

    fileprivate init(_ tree: EntityTree, from offset: Int) {
      self.tree = tree
      slots = SlotIterator(tree, from: offset)
    }

    package mutating func next() -> Int? {
      guard let slot = slots.nextSlot() else { return nil }
      return Int((slot.elements + slot.index * 4).assumingMemoryBound(to: UInt32.self).pointee)
    }
  }
}
