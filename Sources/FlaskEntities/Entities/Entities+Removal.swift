extension Entities {
  /// Removes the element at an offset, which must be from 0 to before ``count``, and returns it.
  ///
  /// Complexity: O(log n), on average.
  @inlinable
  @discardableResult
  public mutating func remove(at offset: Int) -> Element {
    precondition(offset >= 0 && offset < count, "the offset is out of range")
    return remove(tree.number(at: offset))
  }

  /// Removes the element with an identity.
  ///
  /// - Returns: the removed element; `nil` if the collection did not contain it.
  /// - Complexity: O(log n), on average.
  @inlinable
  @discardableResult
  public mutating func remove(id: Element.ID) -> Element? { number(of: id).map { remove($0) } }

  /// Removes the first element and returns it; `nil` if the collection is empty. Complexity: O(log n), on average.
  @inlinable
  public mutating func popFirst() -> Element? { isEmpty ? nil : remove(at: 0) }

  /// Removes the last element and returns it; `nil` if the collection is empty. Complexity: O(log n), on average.
  @inlinable
  public mutating func popLast() -> Element? { isEmpty ? nil : remove(at: count - 1) }

  /// Removes the elements at a range of offsets. Complexity: O(k · log n) for k elements, on average.
  @inlinable
  public mutating func removeSubrange(_ range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "the range is out of range")
    if range.count == count { return removeAll() }
    for offset in range.reversed() { remove(at: offset) }
  }

  /// Removes all elements for which a closure returns true.
  ///
  /// If the closure throws, nothing is removed. Complexity: O(n + k · log n) for k elements removed, on average.
  @inlinable
  public mutating func removeAll(where isRemoved: (Element) throws -> Bool) rethrows {
    var offsets: [Int] = []
    var offset = 0
    for element in self {
      if try isRemoved(element) { offsets.append(offset) }
      offset += 1
    }
    if offsets.count == count { return removeAll() }
    for offset in offsets.reversed() { remove(at: offset) }
  }

  /// Removes all elements. Complexity: O(n) if the storage is not shared, else O(1).
  @inlinable
  public mutating func removeAll() { self = Entities() }
}
