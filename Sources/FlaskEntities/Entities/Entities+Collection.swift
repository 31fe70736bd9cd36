extension Entities: RandomAccessCollection {
  /// Walks the elements in order: O(1) for each, on average.
  public struct Iterator: IteratorProtocol {
    @usableFromInline var cursor: EntityCursor
    // The remaining elements of the leaf (a block of up to 32 elements) that is being walked, if its elements are
    // stored in order.
    @usableFromInline var element: UnsafeMutablePointer<Element>?
    @usableFromInline var endOfElements: UnsafeMutablePointer<Element>?
    // The remaining slot numbers of the leaf (a block of up to 32 elements) being walked, if its elements are stored in
    // another order.
    @usableFromInline var place: UnsafeMutablePointer<UInt8>?
    @usableFromInline var endOfPlaces: UnsafeMutablePointer<UInt8>?

    @inlinable
    init(_ tree: EntityTree) { cursor = EntityCursor(tree) }

    /// The next element; `nil` at the end.
    @inlinable @inline(__always)
    public mutating func next() -> Element? {
      if element != endOfElements, let found = element {
        element = found + 1
        return found.pointee
      }
      return nextByPlace()
    }

    @inlinable
    mutating func nextByPlace() -> Element? {
      if place == endOfPlaces {
        guard let leaf = cursor.next() else { return nil }
        let elements = Entities.elements(of: leaf.order)
        element = elements
        if leaf.isInOrder {
          endOfElements = elements + leaf.count
          element = elements + 1
          return elements.pointee
        }
        endOfElements = elements
        place = leaf.order
        endOfPlaces = leaf.order + leaf.count
      }
      guard let found = place, let elements = element else { return nil }
      place = found + 1
      return elements[Int(found.pointee)]
    }
  }

  /// The elements in order. Complexity: O(1).
  @inlinable
  public func makeIterator() -> Iterator { Iterator(tree) }

  /// The number of elements. Complexity: O(1).
  @inlinable public var underestimatedCount: Int { tree.count }

  /// 0.
  @inlinable public var startIndex: Int { 0 }

  /// The number of elements.
  @inlinable public var endIndex: Int { tree.count }

  /// The element at an offset, which must be from 0 to before ``count``. Complexity: O(log n).
  ///
  /// Assigning an element with another identity replaces the element at this offset. If a further element has this
  /// identity, it is removed, and the offsets of the elements behind it decrease by one.
  @inlinable
  public subscript(offset: Int) -> Element {
    get {
      precondition(offset >= 0 && offset < tree.count, "the offset is out of range")
      return element(tree.number(at: offset)).pointee
    }
    _modify {
      precondition(offset >= 0 && offset < tree.count, "the offset is out of range")
      let number = tree.number(at: offset)
      let memory = uniqueElement(number)
      let id = memory.pointee.id
      var element = memory.move()
      defer { putBack(element, at: number, id: id) }
      yield &element
    }
  }

  // Indices are offsets, so walking them reads no elements.

  /// The next index. Complexity: O(1).
  @inlinable public func index(after index: Int) -> Int { index + 1 }
  /// The previous index. Complexity: O(1).
  @inlinable public func index(before index: Int) -> Int { index - 1 }
  /// An index some steps away. Complexity: O(1).
  @inlinable public func index(_ index: Int, offsetBy distance: Int) -> Int { index + distance }
  /// The number of steps from one index to another. Complexity: O(1).
  @inlinable public func distance(from start: Int, to end: Int) -> Int { end - start }
  /// All indices. Complexity: O(1).
  @inlinable public var indices: Range<Int> { 0..<tree.count }
}

/// `@unchecked Sendable`, because of the pointers:
/// - Ownership: the iterator retains the leaves that they point into.
/// - Invariant: a shared leaf is not changed.
/// - If violated: a data race.
extension Entities.Iterator: @unchecked Sendable where Element: Sendable {}
