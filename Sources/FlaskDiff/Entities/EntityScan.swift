/// Finds which elements of two values differ, without entering leaves that both share.
///
/// The leaves that both have stay in one order wherever they are, and so do elements that are found side by side in two
/// states of one leaf: these are *anchors*. All others are matched by identity.
struct EntityScan<Element: Identifiable> {
  /// An element and its offset. The memory is valid as long as the two values are.
  struct Place {
    let offset: Int
    let element: UnsafePointer<Element>
  }
  struct Pair {
    let old: Place
    let new: Place
  }

  private let old: Entities<Element>
  private let new: Entities<Element>
  private let comparison = TypeRecord.of(Element.self, source: .preferred)
  private var leftOld: [Place] = []
  private var leftNew: [Place] = []

  private(set) var inserted: [Place] = []
  private(set) var removed: [Place] = []
  private(set) var updated: [Pair] = []
  /// Elements that are matched by identity.
  private(set) var rematched: [Pair] = []

  init(from old: Entities<Element>, to new: Entities<Element>) {
    self.old = old
    self.new = new
    var changed: [(number: Int, isOld: Bool, isNew: Bool)] = []
    PersistentVector.forEachDifference(old.tree.leaves, new.tree.leaves) { number, a, b in
      changed.append((number, a != nil, b != nil))
    }
    for (number, isOld, isNew) in changed {
      let olds = isOld ? Self.places(inLeaf: number, of: old) : []
      let news = isNew ? Self.places(inLeaf: number, of: new) : []
      if isOld, isNew, Self.stamp(ofLeaf: number, of: old) == Self.stamp(ofLeaf: number, of: new) {
        matchInOrder(olds, news)
      } else {
        leftOld += olds
        leftNew += news
      }
    }
    leftOld.sort { $0.offset < $1.offset }
    leftNew.sort { $0.offset < $1.offset }
    matchByIdentity()
    updated.sort { $0.new.offset < $1.new.offset }
  }

  private static func stamp(ofLeaf number: Int, of entities: Entities<Element>) -> UInt64 {
    entities.tree.withLeaf(number) { $0.info.stamp }
  }

  private static func places(inLeaf number: Int, of entities: Entities<Element>) -> [Place] {
    let start = entities.tree.offset(ofLeaf: number)
    return entities.tree.withLeaf(number) { leaf in
      let order = leaf.order
      let elements = Entities<Element>.elements(of: order)
      return (0..<leaf.info.count).map {
        Place(offset: start + $0, element: UnsafePointer(elements + Int(order[$0])))
      }
    }
  }

  /// Whether two elements have one identity; notes whether they have another value.
  private mutating func match(_ a: Place, _ b: Place) -> Bool {
    // Equal bits are compared first: no identity is asked for then.
    if comparison.areBitsEqual(a.element, b.element) { return true }
    guard a.element.pointee.id == b.element.pointee.id else { return false }
    if !comparison.areEqual(a.element, b.element, depth: 0) { updated.append(Pair(old: a, new: b)) }
    return true
  }

  /// Matches the elements of two states of one leaf, as far as they are set apart by one that came or went.
  private mutating func matchInOrder(_ olds: [Place], _ news: [Place]) {
    var i = 0
    var j = 0
    while i < olds.count, j < news.count {
      if match(olds[i], news[j]) {
        i += 1
        j += 1
      } else if i + 1 < olds.count, olds[i + 1].element.pointee.id == news[j].element.pointee.id {
        leftOld.append(olds[i])
        i += 1
      } else if j + 1 < news.count, olds[i].element.pointee.id == news[j + 1].element.pointee.id {
        leftNew.append(news[j])
        j += 1
      } else {
        leftOld.append(olds[i])
        leftNew.append(news[j])
        i += 1
        j += 1
      }
    }
    leftOld += olds[i...]
    leftNew += news[j...]
  }

  private mutating func matchByIdentity() {
    if leftOld.isEmpty || leftNew.isEmpty {
      removed = leftOld
      inserted = leftNew
      return
    }
    var indices: [Element.ID: Int] = [:]
    indices.reserveCapacity(leftOld.count)
    for (index, place) in leftOld.enumerated() { indices[place.element.pointee.id] = index }
    var isMatched = [Bool](repeating: false, count: leftOld.count)
    for place in leftNew {
      guard let index = indices[place.element.pointee.id], match(leftOld[index], place) else {
        inserted.append(place)
        continue
      }
      isMatched[index] = true
      rematched.append(Pair(old: leftOld[index], new: place))
    }
    removed = zip(leftOld, isMatched).filter { !$0.1 }.map(\.0)
  }

  /// What is in both values in runs that follow each other in both.
  ///
  /// Between the elements that are no anchors, anchors follow each other in both. Complexity: O(k · log(k)) for k
  /// elements that are no anchors.
  func runs() -> MatchedRuns {
    // Of each element that is no anchor the number of anchors before it.
    let oldGaps = leftOld.enumerated().map { $1.offset - $0 }
    let newGaps = leftNew.enumerated().map { $1.offset - $0 }
    let anchors = old.count - leftOld.count
    let borders = Set(oldGaps + newGaps + [0, anchors]).sorted()
    var runs = MatchedRuns()
    var oldBefore = 0
    var newBefore = 0
    for (start, end) in zip(borders, borders.dropFirst()) {
      while oldBefore < oldGaps.count, oldGaps[oldBefore] <= start { oldBefore += 1 }
      while newBefore < newGaps.count, newGaps[newBefore] <= start { newBefore += 1 }
      runs.append(MatchedRun(old: start + oldBefore, new: start + newBefore, count: end - start))
    }
    for pair in rematched { runs.append(MatchedRun(old: pair.old.offset, new: pair.new.offset, count: 1)) }
    return runs
  }
}
