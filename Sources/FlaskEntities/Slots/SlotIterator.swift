/// Walks the slots of the elements of a tree in order: O(1) for each, on average.
struct SlotIterator {
  private var cursor: EntityCursor
  private let alignment: Int
  private var place: UnsafeMutablePointer<UInt8>?
  private var end: UnsafeMutablePointer<UInt8>?
  private var elements = UnsafeMutableRawPointer(bitPattern: 16).unsafelyUnwrapped
  private var leaf = 0

  init(_ tree: EntityTree, from offset: Int) {
    alignment = tree.layout?.alignment ?? 1
    guard offset < tree.count else {
      cursor = EntityCursor(tree, from: tree.count)
      return
    }
    let rest = tree.locate(offset).index
    cursor = EntityCursor(tree, from: offset - rest)
    findLeaf()
    place = place.map { $0 + rest }
  }

  private mutating func findLeaf() {
    guard let next = cursor.next() else { return }
    leaf = cursor.lastLeaf
    elements = EntityLeaf.elements(of: next.order, alignment: alignment)
    place = next.order
    end = next.order + next.count
  }

  /// The number of the next leaf's slot, the index of the slot in the leaf, and the address of the leaf's first slot,
  /// which is valid as long as the tree; `nil` at the end.
  mutating func nextSlot() -> (number: Int, index: Int, elements: UnsafeMutableRawPointer)? {
    if place == end {
      findLeaf()
      if place == end { return nil }
    }
    guard let found = place else { return nil }
    place = found + 1
    let index = Int(found.pointee)
    return (leaf << EntityLeaf.bits | index, index, elements)
  }
}
