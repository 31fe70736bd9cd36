extension Entities {
  /// Moves the element with an identity to an offset, which it has afterwards.
  ///
  /// - Parameters:
  ///   - id: the identity. Nothing happens if the collection does not contain it.
  ///   - offset: the new offset among all elements. An offset that is too small means the beginning, one that is too
  ///     large the end.
  /// - Returns: whether the collection contains the element.
  /// - Complexity: O(log n), on average.
  @inlinable
  @discardableResult
  public mutating func move(id: Element.ID, to offset: Int) -> Bool {
    let hash = Self.hash(id)
    guard let number = number(of: id, hash: hash) else { return false }
    let offset = Swift.max(0, Swift.min(offset, count - 1))
    if tree.offset(of: number) == offset { return true }
    let element = uniqueElement(number).move()
    free(number, hash: hash)
    insertNew(element, hash: hash, at: offset)
    return true
  }

  /// Moves the elements at some offsets, in their order, before the element at another offset.
  ///
  /// All offsets are those before the move, as lists on screens report them.
  ///
  /// - Parameters:
  ///   - offsets: the offsets, in any order. An offset outside of the collection is ignored.
  ///   - destination: From 0 to ``count``; an offset outside means the beginning or the end.
  /// - Complexity: O(k · log n) for k elements, on average, and O(k · log k).
  @inlinable
  public mutating func move(fromOffsets offsets: some Sequence<Int>, toOffset destination: Int) {
    let sources = Set(offsets).filter { indices.contains($0) }.sorted()
    let before = sources.filter { $0 < destination }.count
    var elements: [Element] = []
    for offset in sources.reversed() { elements.append(remove(at: offset)) }
    let start = Swift.max(0, Swift.min(destination - before, count))
    insert(contentsOf: elements.reversed(), at: start)
  }

  /// Exchanges the elements at two offsets. Complexity: O(log n), on average.
  @inlinable
  public mutating func swapAt(_ a: Int, _ b: Int) {
    precondition(indices.contains(a) && indices.contains(b), "the offset is out of range")
    if a == b { return }
    let first = Swift.min(a, b)
    let second = Swift.max(a, b)
    let later = remove(at: second)
    let earlier = remove(at: first)
    insertNew(later, hash: Self.hash(later.id), at: first)
    insertNew(earlier, hash: Self.hash(earlier.id), at: second)
  }

  /// Sorts the elements, stably. If they are in order already, nothing is changed.
  ///
  /// Otherwise the storage is rebuilt and shared with no earlier copy. Complexity: O(n · log n).
  @inlinable
  public mutating func sort(by areInOrder: (Element, Element) throws -> Bool) rethrows {
    let sorted = try self.sorted(by: areInOrder)
    if zip(self, sorted).contains(where: { $0.id != $1.id }) { self = Entities(sorted) }
  }

  /// Reverses the order. The storage is rebuilt and shared with no earlier copy. Complexity: O(n · log n).
  @inlinable
  public mutating func reverse() { self = Entities(Array(self).reversed()) }

  /// Shuffles the elements. The storage is rebuilt and shared with no earlier copy.
  ///
  /// Complexity: O(n · log n).
  @inlinable
  public mutating func shuffle(using generator: inout some RandomNumberGenerator) {
    self = Entities(shuffled(using: &generator))
  }
}

extension Entities where Element: Comparable {
  /// Sorts the elements, stably, by `<`. Complexity: O(n · log n).
  @inlinable
  public mutating func sort() { sort(by: <) }
}
