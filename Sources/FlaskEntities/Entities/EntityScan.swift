/// Finds which elements of two trees differ, without entering leaves that both share.
///
/// Leaves that both trees have keep their order. The elements of shared leaves are *anchors*. In two states of one
/// leaf, elements that are matched in their order are also anchors. All other elements are matched by identity later.
/// Only that matching depends on the type of the elements; everything else is compiled once.
struct EntityScan {
  /// An element and its offset. The memory is valid as long as the tree.
  struct Place {
    let offset: Int
    let element: UnsafeRawPointer
  }
  typealias Pair = (old: Place, new: Place)

  private let old: EntityTree
  private let new: EntityTree
  private let element: TypeRecord
  private let haveSameIdentity: (UnsafeRawPointer, UnsafeRawPointer) -> Bool
  /// Whether elements with any different bit count as updated, although the rules of ``StateDiff`` may call them equal.
  private let isExact: Bool

  /// Elements that were not matched in their order and have to be matched by identity, in ascending order of offsets.
  private(set) var leftOld: [Place] = []
  private(set) var leftNew: [Place] = []
  /// Pairs of matched elements whose values differ: first pairs that were matched in their order. `compare` adds those
  /// that are matched by identity.
  private(set) var updated: [Pair] = []

  init(
    from old: EntityTree,
    to new: EntityTree,
    element: TypeRecord,
    isExact: Bool,
    haveSameIdentity: @escaping (UnsafeRawPointer, UnsafeRawPointer) -> Bool
  ) {
    self.isExact = isExact
    self.old = old
    self.new = new
    self.element = element
    self.haveSameIdentity = haveSameIdentity
    PersistentVector.forEachDifference(old.leaves, new.leaves) { number, a, b in
      let a = a.map { LeafElements($0) }
      let b = b.map { LeafElements($0) }
      if let a, let b, a.stamp == b.stamp {
        matchInOrder(a, b, number)
      } else {
        if let a { append(0..<a.count, of: a, number, to: \.leftOld, old) }
        if let b { append(0..<b.count, of: b, number, to: \.leftNew, new) }
      }
    }
    leftOld = leftOld.ordered { $0.offset }
    leftNew = leftNew.ordered { $0.offset }
  }

  private mutating func append(
    _ range: Range<Int>,
    of leaf: LeafElements,
    _ number: Int,
    to list: WritableKeyPath<EntityScan, [Place]>,
    _ tree: EntityTree
  ) {
    let start = tree.offset(ofLeaf: number)
    for index in range {
      self[keyPath: list].append(Place(offset: start + index, element: leaf[index]))
    }
  }

  /// Matches the elements of two states of one leaf, as long as at most one inserted or removed element separates them.
  private mutating func matchInOrder(_ a: LeafElements, _ b: LeafElements, _ number: Int) {
    var i = 0
    var j = 0
    while i < a.count, j < b.count {
      // The bits are compared first: if they are equal, no identity has to be read.
      if element.areBitsEqual(a[i], b[j]) {
        i += 1
        j += 1
      } else if haveSameIdentity(a[i], b[j]) {
        if isExact || !element.areEqual(a[i], b[j], depth: 0) {
          let old = old.offset(ofLeaf: number) + i
          let new = new.offset(ofLeaf: number) + j
          updated.append((Place(offset: old, element: a[i]), Place(offset: new, element: b[j])))
        }
        i += 1
        j += 1
      } else {
        let isGone = i + 1 < a.count && haveSameIdentity(a[i + 1], b[j])
        let hasCome = !isGone && j + 1 < b.count && haveSameIdentity(a[i], b[j + 1])
        if !hasCome {
          append(i..<i + 1, of: a, number, to: \.leftOld, old)
          i += 1
        }
        if !isGone {
          append(j..<j + 1, of: b, number, to: \.leftNew, new)
          j += 1
        }
      }
    }
    if i < a.count { append(i..<a.count, of: a, number, to: \.leftOld, old) }
    if j < b.count { append(j..<b.count, of: b, number, to: \.leftNew, new) }
  }

  /// Records whether the values of two elements with one identity differ.
  mutating func compare(_ pair: Pair) {
    let old = pair.old.element
    let new = pair.new.element
    let isSame = isExact ? element.areBitsEqual(old, new) : element.areEqual(old, new, depth: 0)
    if !isSame { updated.append(pair) }
  }

  /// The old and new offsets of the elements that have moved, in ascending order of new offsets.
  ///
  /// Anchors that no other element separates follow each other in both trees. Complexity: O(k · log(k)) for k elements
  /// that are no anchors.
  ///
  /// - Parameter rematched: The elements that are matched by identity.
  func moved(_ rematched: [Pair]) -> [(old: Int, new: Int)] {
    MatchedRuns.moved(
      without: leftOld.map(\.offset),
      leftNew.map(\.offset),
      of: old.count - leftOld.count,
      pairs: rematched.map { ($0.old.offset, $0.new.offset) }
    )
  }
}

/// The elements that differ between two entities, with their offsets.
struct EntityDifferences {
  private(set) var added: [EntityScan.Place] = []
  private(set) var gone: [EntityScan.Place] = []
  private(set) var updated: [EntityScan.Pair] = []
  /// The old and new offsets of the moved elements, sorted by ascending new offsets.
  private(set) var moved: [(old: Int, new: Int)] = []

  /// The result is valid as long as both entities.
  ///
  /// - Parameter isExact: whether elements with any different bit count as updated. The rules of ``StateDiff`` would
  ///   exclude properties that the elements hide.
  init<Element: Identifiable>(
    from old: Entities<Element>,
    to new: Entities<Element>,
    isExact: Bool = false
  ) {
    func id(_ element: UnsafeRawPointer) -> Element.ID {
      element.assumingMemoryBound(to: Element.self).pointee.id
    }
    var scan = EntityScan(
      from: old.tree,
      to: new.tree,
      element: .of(Element.self),
      isExact: isExact,
      haveSameIdentity: { id($0) == id($1) }
    )
    if scan.leftOld.isEmpty || scan.leftNew.isEmpty {
      gone = scan.leftOld
      added = scan.leftNew
    } else {
      var indices: [Element.ID: Int] = [:]
      indices.reserveCapacity(scan.leftOld.count)
      for (index, place) in scan.leftOld.enumerated() { indices[id(place.element)] = index }
      var isMatched = [Bool](repeating: false, count: scan.leftOld.count)
      var rematched: [EntityScan.Pair] = []
      for place in scan.leftNew {
        // Each element is matched once, even if identities have changed behind the collection and one identity occurs
        // twice.
        guard let index = indices[id(place.element)], !isMatched[index] else {
          added.append(place)
          continue
        }
        isMatched[index] = true
        rematched.append((scan.leftOld[index], place))
        scan.compare((scan.leftOld[index], place))
      }
      gone = zip(scan.leftOld, isMatched).filter { !$0.1 }.map(\.0)
      if !rematched.isEmpty { moved = scan.moved(rematched) }
    }
    updated = scan.updated.ordered { $0.new.offset }
  }
}
