extension Entities {
  /// Makes a collection of the elements of a sequence. If several have one identity, the last one is used, in the
  /// position of the first.
  ///
  /// Complexity: O(n · log n), on average.
  @inlinable
  public init(_ elements: some Sequence<Element>) {
    self.init(elements) { $1 }
  }

  /// Makes a collection of the elements of a sequence. A closure combines elements with the same identity.
  ///
  /// - Parameters:
  ///   - elements: The elements.
  ///   - combine: called with the present element and a new element with the same identity. It returns the element that
  ///     replaces the present one. Its identity must be the same.
  /// - Complexity: O(n · log n), on average.
  @inlinable
  public init(
    _ elements: some Sequence<Element>,
    uniquing combine: (_ present: Element, _ coming: Element) throws -> Element
  ) rethrows {
    self.init()
    try append(contentsOf: elements, uniquing: combine)
  }

  /// Appends an element. If the collection contains its identity, the present element is replaced in its position.
  ///
  /// - Returns: Whether it was added.
  /// - Complexity: O(log n), on average.
  @inlinable
  @discardableResult
  public mutating func append(_ element: __owned Element) -> Bool { insert(element, at: count) }

  /// Adds elements at the end, each as ``append(_:)`` does.
  ///
  /// Complexity: O(k · log n) for k elements, on average. O(k) if the collection is empty and no two elements have one
  /// identity.
  @inlinable
  public mutating func append(contentsOf elements: some Sequence<Element>) {
    append(contentsOf: elements) { $1 }
  }

  /// Adds elements at the end.
  ///
  /// - Parameters:
  ///   - elements: The elements.
  ///   - combine: called with the present element and a new element with the same identity. It returns the element that
  ///     replaces the present one. If it throws, the elements before have been added.
  /// - Complexity: O(k · log n) for k elements, on average. O(k) if the collection is empty and no two elements have
  ///   one identity.
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

  /// Fills this collection, which is empty, with the elements of a sequence: first leaf by leaf, then the index page by
  /// page. This takes an eighth of the time that single insertions take.
  ///
  /// - Returns: the elements if two of them have one identity; the collection then stays empty.
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
    // All leaves except the last are full, and their numbers begin at 0. So the number of an element is its offset.
    let all = filled
    let isEachNew = filled.index.fill(with: hashes) {
      all.element($0).pointee.id == all.element($1).pointee.id
    }
    if !isEachNew { return Array(all) }
    filled.didAdd(to: 0)
    self = filled
    return nil
  }

  /// Inserts an element before the element at an offset. If the collection contains its identity, the present element
  /// is replaced in its position.
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

  /// Inserts elements one after another before the element at an offset. An element whose identity the collection
  /// contains replaces the present element in its position.
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

  /// Removes the elements of a range, then inserts other elements there.
  ///
  /// A new element whose identity is outside of the range replaces the present element there. Complexity: O(k · log n)
  /// for k elements removed and inserted, on average.
  @inlinable
  public mutating func replaceSubrange(_ range: Range<Int>, with elements: some Sequence<Element>) {
    removeSubrange(range)
    insert(contentsOf: elements, at: range.lowerBound)
  }
}
