internal import FlaskDiff
internal import FlaskEntities

// The differences of two contents of one view, as offsets.
extension ViewContent {
  /// Where elements of two contents differ.
  struct Matches {
    var insertions: [Int] = []
    var removals: [Int] = []
    /// Ascending by new offsets.
    var moves: [(old: Int, new: Int)] = []
    /// The elements of both contents that may differ. All others are equal.
    var pairs: [(old: Int, new: Int)] = []
  }

  /// Whether the edits since `old`, from which this content was made, have changed anything that is shown.
  final func showsEdits(since old: ViewContent) -> Bool {
    guard let edits = edits?.edits else { return true }
    if window != nil {
      return range != old.range
        || range.contains { !hasSameIdentity($0, asIn: old, at: $0) || !isSame($0, asIn: old, at: $0) }
    }
    if edits.left != edits.entered || starts?.offsets != old.starts?.offsets { return true }
    return edits.kept.contains { !isSame($0.new, asIn: old, at: $0.old) }
      || edits.left.contains { !hasSameIdentity($0, asIn: old, at: $0) || !isSame($0, asIn: old, at: $0) }
  }

  /// Where this content differs from another one; `nil` if only a comparison of all elements finds it.
  final func matches(from old: ViewContent) -> Matches? {
    guard window == nil, let edits = edits(since: old) else { return nil }
    var matches = Matches(insertions: edits.entered, removals: edits.left, pairs: edits.kept)
    if edits.left.isEmpty || edits.entered.isEmpty { return matches }
    if edits.left.count == 1, edits.entered.count == 1 {
      // The most frequent change: one element, which has moved or stayed.
      let left = edits.left[0]
      let entered = edits.entered[0]
      if hasSameIdentity(entered, asIn: old, at: left) {
        matches.pairs.append((left, entered))
        if left != entered { matches.moves = [(left, entered)] }
        matches.insertions = []
        matches.removals = []
      }
      return matches
    }
    let pairs = pairs(edits.entered, with: edits.left, of: old)
    let matchedOld = Set(pairs.map { $0.old })
    let matchedNew = Set(pairs.map { $0.new })
    matches.insertions.removeAll { matchedNew.contains($0) }
    matches.removals.removeAll { matchedOld.contains($0) }
    let stayed = old.fullCount - edits.left.count
    matches.moves = MatchedRuns.moved(without: edits.left, edits.entered, of: stayed, pairs: pairs)
    matches.pairs += pairs
    return matches
  }

  /// The pairs whose elements differ, ascending by new offsets.
  final func updates(_ pairs: [(old: Int, new: Int)], from old: ViewContent) -> [(old: Int, new: Int)] {
    let updates = pairs.filter { !isSame($0.new, asIn: old, at: $0.old) }
    return updates.count < 2 ? updates : updates.ordered { $0.new }
  }

  /// The places at which this content differs from another one of this view; `nil` if only a comparison of all elements
  /// finds them.
  private final func edits(since old: ViewContent) -> NumberEdits? {
    if let edits, edits.version == old.version { return edits.edits }
    if lineage != old.lineage { return nil }
    let changes = old.changes(base.changes(from: old.base), to: parameters, count: order.slots.count)
    guard let changes else { return nil }
    var edits = NumberEdits()
    edits.left = (changes.gone + changes.updated).compactMap { old.offset(of: $0) }.sorted()
    edits.entered = (changes.come + changes.updated).compactMap { offset(of: $0) }.sorted()
    // A search has missed a number if the others are not as many in both.
    if old.fullCount - edits.left.count != fullCount - edits.entered.count { return nil }
    return edits
  }
}
