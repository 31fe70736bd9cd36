extension ElementChanges {
  /// The differences of two collections.
  ///
  /// May be called on any thread. Complexity: linear in the elements; where elements have moved, also O(m · log(m)) for
  /// m groups of elements that moved together. Elements that kept their places among their neighbours are neither
  /// hashed nor, if their bits are the same, asked for their identities. For `Entities` it is O(changes · log n) if one
  /// value was made from the other.
  @inlinable
  public init<Elements: Collection>(from old: Elements, to new: Elements) where Elements.Element == Element {
    let changes = old.withContiguousStorageIfAvailable { old in
      new.withContiguousStorageIfAvailable { new in Self(contiguous: old, new) }
    }
    if let changes, let changes {
      self = changes
      return
    }
    if let changes = Self.ofIdentified(old, new) {
      self = changes
      return
    }
    self = Array(old).withUnsafeBufferPointer { old in
      Array(new).withUnsafeBufferPointer { new in Self(contiguous: old, new) }
    }
  }

  @inlinable
  init(contiguous old: UnsafeBufferPointer<Element>, _ new: UnsafeBufferPointer<Element>) {
    guard old.baseAddress != new.baseAddress || old.count != new.count else {
      self.init()
      return
    }
    var scan = ElementScan(old: old, new: new)
    scan.matchInOrder()
    self.init(scan.match(), old: old, new: new)
  }

  @inlinable
  init(_ scan: ElementOffsets, old: UnsafeBufferPointer<Element>, new: UnsafeBufferPointer<Element>) {
    self.init(
      insertions: scan.insertions.map { Insertion(element: new[$0], offset: $0) },
      removals: scan.removals.map { Removal(element: old[$0], offset: $0) },
      moves: scan.moves.map { Move(element: new[$0.new], oldOffset: $0.old, newOffset: $0.new) },
      updates: scan.updates.map {
        Update(oldElement: old[$0.old], element: new[$0.new], oldOffset: $0.old, newOffset: $0.new)
      }
    )
  }
}

/// Changes of the elements of a collection, each named by the offset of its element. Each list has ascending offsets.
@usableFromInline
struct ElementOffsets {
  @usableFromInline var insertions: [Int] = []
  @usableFromInline var removals: [Int] = []
  @usableFromInline var moves: [(old: Int, new: Int)] = []
  @usableFromInline var updates: [(old: Int, new: Int)] = []

  @usableFromInline
  init() {}
}

/// Matches the elements of two collections by identity.
///
/// First both are walked in parallel, which finds all elements with unchanged neighbours. Then the remaining elements
/// are matched through a dictionary.
@usableFromInline
struct ElementScan<Element: Identifiable> {
  @usableFromInline let old: UnsafeBufferPointer<Element>
  @usableFromInline let new: UnsafeBufferPointer<Element>
  @usableFromInline let comparison = ElementComparison(of: Element.self)
  @usableFromInline var matched = MatchedRuns()
  @usableFromInline var leftOld: [Int] = []
  @usableFromInline var leftNew: [Int] = []
  @usableFromInline var updated: [(old: Int, new: Int)] = []

  @inlinable
  init(old: UnsafeBufferPointer<Element>, new: UnsafeBufferPointer<Element>) {
    self.old = old
    self.new = new
  }

  /// Whether two elements have the same identity. If they have the same identity and different values, an update is
  /// recorded.
  @inlinable @inline(__always)
  mutating func match(_ i: Int, _ j: Int) -> Bool {
    guard let a = old.baseAddress, let b = new.baseAddress else { return false }
    if comparison.haveEqualBits(a + i, b + j) { return true }
    guard old[i].id == new[j].id else { return false }
    if !comparison.areEqual(a + i, b + j) { updated.append((i, j)) }
    return true
  }

  /// Matches the elements at the beginning and at the end of the collections, which are unchanged most often. Then
  /// matches the elements between them in order, skipping single inserted or removed elements.
  @inlinable
  mutating func matchInOrder() {
    var oldEnd = old.count
    var newEnd = new.count
    var i = 0
    while i < oldEnd, i < newEnd, match(i, i) { i += 1 }
    matched.append(MatchedRun(old: 0, new: 0, count: i))
    var j = i
    while i < oldEnd, j < newEnd, match(oldEnd - 1, newEnd - 1) {
      oldEnd -= 1
      newEnd -= 1
    }
    matched.append(MatchedRun(old: oldEnd, new: newEnd, count: old.count - oldEnd))
    while i < oldEnd, j < newEnd {
      if match(i, j) {
        matched.append(old: i, new: j)
        i += 1
        j += 1
      } else if i + 1 < oldEnd, old[i + 1].id == new[j].id {
        leftOld.append(i)
        i += 1
      } else if j + 1 < newEnd, old[i].id == new[j + 1].id {
        leftNew.append(j)
        j += 1
      } else {
        leftOld.append(i)
        leftNew.append(j)
        i += 1
        j += 1
      }
    }
    leftOld.append(contentsOf: i..<oldEnd)
    leftNew.append(contentsOf: j..<newEnd)
  }

  /// Matches by identity the elements that the walk in order has not matched, and returns the differences of the
  /// collections.
  @inlinable
  mutating func match() -> ElementOffsets {
    var offsets = ElementOffsets()
    if leftOld.isEmpty || leftNew.isEmpty {
      offsets.removals = leftOld
      offsets.insertions = leftNew
    } else {
      matchByIdentity(into: &offsets)
    }
    offsets.updates = updated.ordered { $0.new }
    return offsets
  }

  @inlinable
  mutating func matchByIdentity(into offsets: inout ElementOffsets) {
    // `first` has the first unmatched element of each identity. `next` has, for each unmatched element, the next
    // unmatched element with the same identity.
    var first = [Element.ID: Int](minimumCapacity: leftOld.count)
    var next = [Int](repeating: -1, count: leftOld.count)
    for index in leftOld.indices.reversed() {
      if let following = first.updateValue(index, forKey: old[leftOld[index]].id) { next[index] = following }
    }
    var isMatched = [Bool](repeating: false, count: leftOld.count)
    for j in leftNew {
      guard let place = first.index(forKey: new[j].id), first.values[place] >= 0 else {
        offsets.insertions.append(j)
        continue
      }
      let index = first.values[place]
      first.values[place] = next[index]
      isMatched[index] = true
      let i = leftOld[index]
      if match(i, j) { matched.append(old: i, new: j) }
    }
    offsets.removals = leftOld.indices.lazy.filter { !isMatched[$0] }.map { leftOld[$0] }
    if offsets.removals.count < leftOld.count { offsets.moves = matched.moved() }
  }
}
