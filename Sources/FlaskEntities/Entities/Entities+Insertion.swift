extension Entities {
  /// The elements of a sequence; of those with one identity, the last one at the place of the first.
  ///
  /// Complexity: O(n · log n), on average.
  @inlinable
  public init(_ elements: some Sequence<Element>) {
    self.init(elements) { $1 }
  }

  /// The elements of a sequence.
  ///
  /// - Parameters:
  ///   - elements: The elements.
  ///   - combine: Is called with the element that is there and one that comes with the same identity, and returns the
  ///     one that stays in the place of the former. Its identity must be the same.
  /// - Complexity: O(n · log n), on average.
  @inlinable
  public init(
    _ elements: some Sequence<Element>,
    uniquing combine: (_ present: Element, _ coming: Element) throws -> Element
  ) rethrows {
    self.init()
    try append(contentsOf: elements, uniquing: combine)
  }

  /// Adds an element at the end. If there is one with its identity, that one is replaced where it is.
  ///
  /// - Returns: Whether it was added.
  /// - Complexity: O(log n), on average.
  @inlinable
  @discardableResult
  public mutating func append(_ element: __owned Element) -> Bool { insert(element, at: count) }

  /// Adds elements at the end, each as ``append(_:)`` does.
  ///
  /// Complexity: O(k · log n) for k elements, on average; O(k) if there are none yet, and no two have one identity.
  @inlinable
  public mutating func append(contentsOf elements: some Sequence<Element>) {
    append(contentsOf: elements) { $1 }
  }

  /// Adds elements at the end.
  ///
  /// - Parameters:
  ///   - elements: The elements.
  ///   - combine: Is called with the element that is there and one that comes with the same identity, and returns the
  ///     one that stays in the place of the former. If it throws, the elements before have been added.
  /// - Complexity: O(k · log n) for k elements, on average; O(k) if there are none yet, and no two have one identity.
  @inlinable
  public mutating func append(
    contentsOf elements: some Sequence<Element>,
    uniquing combine: (_ present: Element, _ coming: Element) throws -> Element
  ) rethrows {
    if !isEmpty || elements.underestimatedCount <= 2 * EntityLeaf.width {
      try appendEach(elements, combine)
    } else if let all = fill(with: elements) {
      try appendEach(all, combine)
    }
  }

  @inlinable
  mutating func appendEach(
    _ elements: some Sequence<Element>,
    _ combine: (_ present: Element, _ coming: Element) throws -> Element
  ) rethrows {
    let oldCount = count
    defer { didAdd(to: oldCount) }
    for element in elements {
      let id = element.id
      let hash = Self.hash(id)
      if let number = number(of: id, hash: hash) {
        let combined = try combine(self.element(number).pointee, element)
        uniqueElement(number).deinitialize(count: 1)
        putBack(combined, at: number, id: id)
      } else {
        insertNew(element, hash: hash, at: count)
      }
    }
  }

  /// Makes this, which is empty, the elements of a sequence: leaf by leaf, and then the index page by page, which takes
  /// an eighth of the time that it takes one by one.
  ///
  /// - Returns: The elements, if two of them have one identity: then it is empty as before.
  @inlinable
  mutating func fill(with elements: some Sequence<Element>) -> [Element]? {
    var filled = Entities()
    let layout = EntityLayout(Element.self)
    var hashes: [UInt32] = []
    hashes.reserveCapacity(elements.underestimatedCount)
    var rest = elements.makeIterator()
    var next = rest.next()
    while next != nil {
      let (leaf, memory) = filled.tree.appendLeaf(layout: layout)
      let slots = memory.assumingMemoryBound(to: Element.self)
      var slot = 0
      while slot < EntityLeaf.width, let element = next {
        hashes.append(Self.hash(element.id))
        (slots + slot).initialize(to: element)
        slot += 1
        next = rest.next()
      }
      filled.tree.fill(leaf, count: slot)
    }
    // All leaves but the last one are full, and have the numbers from 0 on: so the number of an element is its offset.
    let all = filled
    let isEachNew = filled.index.fill(with: hashes) {
      all.element($0).pointee.id == all.element($1).pointee.id
    }
    if !isEachNew { return Array(all) }
    filled.didAdd(to: 0)
    self = filled
    return nil
  }

  /// Inserts an element before that at an offset. If there is one with its identity, that one is replaced where it is.
  ///
  /// - Parameters:
  ///   - element: The element.
  ///   - offset: From 0 to ``count``.
  /// - Returns: Whether it was inserted.
  /// - Complexity: O(log n), on average.
  @inlinable
  @discardableResult
  public mutating func insert(_ element: __owned Element, at offset: Int) -> Bool {
    precondition(offset >= 0 && offset <= count, "the offset is out of range")
    let id = element.id
    let hash = Self.hash(id)
    if let number = number(of: id, hash: hash) {
      uniqueElement(number).pointee = element
      return false
    }
    insertNew(element, hash: hash, at: offset)
    return true
  }

  /// Inserts elements before the element at an offset, one after the other. Elements with identities that are present
  /// replace these where they are.
  ///
  /// - Parameters:
  ///   - elements: The elements.
  ///   - offset: From 0 to ``count``.
  /// - Complexity: O(k · log n) for k elements, on average.
  @inlinable
  public mutating func insert(contentsOf elements: some Sequence<Element>, at offset: Int) {
    precondition(offset >= 0 && offset <= count, "the offset is out of range")
    var offset = offset
    for element in elements where insert(element, at: offset) { offset += 1 }
  }

  /// Removes the elements of a range, then inserts others there.
  ///
  /// New elements whose identities are at other places replace the elements there. Complexity: O(k · log n) for k
  /// elements removed and inserted, on average.
  @inlinable
  public mutating func replaceSubrange(_ range: Range<Int>, with elements: some Sequence<Element>) {
    removeSubrange(range)
    insert(contentsOf: elements, at: range.lowerBound)
  }
}
