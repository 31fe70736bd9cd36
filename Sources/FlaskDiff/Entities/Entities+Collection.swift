extension Entities: RandomAccessCollection {
  /// Walks the elements in order: O(1) for each, on average.
  public struct Iterator: IteratorProtocol {
    @usableFromInline var cursor: EntityCursor
    @usableFromInline var order: UnsafeMutablePointer<UInt8>?
    @usableFromInline var end: UnsafeMutablePointer<UInt8>?
    @usableFromInline var elements: UnsafeMutablePointer<Element>?

    @inlinable
    init(_ tree: EntityTree) { cursor = EntityCursor(tree) }

    /// The next element; `nil` at the end.
    @inlinable @inline(__always)
    public mutating func next() -> Element? {
      if order == end, !advance() { return nil }
      guard let place = order, let elements else { return nil }
      order = place + 1
      return elements[Int(place.pointee)]
    }

    @inlinable
    mutating func advance() -> Bool {
      guard let (order, count) = cursor.next() else { return false }
      self.order = order
      end = order + count
      elements = Entities.elements(of: order)
      return true
    }
  }

  /// The elements in order. Complexity: O(1).
  @inlinable
  public func makeIterator() -> Iterator { Iterator(tree) }

  /// No less than the number of elements. Complexity: O(1).
  @inlinable public var underestimatedCount: Int { tree.count }

  /// 0.
  @inlinable public var startIndex: Int { 0 }

  /// The number of elements.
  @inlinable public var endIndex: Int { tree.count }

  /// The element at an offset, which must be one from 0 to before ``count``. Complexity: O(log n).
  ///
  /// An element that is assigned and has another identity than the one before takes its place. If another element has
  /// that identity, that one is removed, and the offsets of those behind it become smaller.
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

  // Indices are offsets, so walking them takes no look at the elements.

  /// The next index. Complexity: O(1).
  @inlinable public func index(after index: Int) -> Int { index + 1 }
  /// The previous index. Complexity: O(1).
  @inlinable public func index(before index: Int) -> Int { index - 1 }
  /// An index some steps away. Complexity: O(1).
  @inlinable public func index(_ index: Int, offsetBy distance: Int) -> Int { index + distance }
  /// The steps from one index to another. Complexity: O(1).
  @inlinable public func distance(from start: Int, to end: Int) -> Int { end - start }
  /// All indices. Complexity: O(1).
  @inlinable public var indices: Range<Int> { 0..<tree.count }
}
