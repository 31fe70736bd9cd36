/// A run: elements that follow each other directly in both collections.
@usableFromInline
package struct MatchedRun {
  /// The offset of the run's first element in the old collection.
  @usableFromInline package let old: Int
  /// The offset of the run's first element in the new collection.
  @usableFromInline package let new: Int
  @usableFromInline package var count: Int

  @usableFromInline
  package init(old: Int, new: Int, count: Int) {
    self.old = old
    self.new = new
    self.count = count
  }
}

/// The elements that two collections have in common, as runs: elements that follow each other directly in both
/// collections.
@usableFromInline
package struct MatchedRuns {
  /// The offsets of an element in both collections.
  package typealias Pair = (old: Int, new: Int)
  @usableFromInline private(set) var runs: [MatchedRun] = []

  @usableFromInline
  package init() {}

  /// The pairs of elements that have moved between two collections: see `moved()`. Most elements are *anchors*, which
  /// follow each other in the same order in both collections. Complexity: O(k · log(k)) for k other elements.
  ///
  /// - Parameters:
  ///   - old: the offsets in the old collection of the elements that are not anchors, ascending.
  ///   - new: the offsets in the new collection of the elements that are not anchors, ascending.
  ///   - count: the number of anchors.
  ///   - pairs: the offsets of the elements that are not anchors, but are in both collections.
  package static func moved(without old: [Int], _ new: [Int], of count: Int, pairs: [Pair]) -> [Pair] {
    var runs = MatchedRuns()
    // For each element that is not an anchor, the number of anchors before it.
    let oldGaps = old.enumerated().map { $1 - $0 }
    let newGaps = new.enumerated().map { $1 - $0 }
    let borders = Set(oldGaps + newGaps + [0, count]).sorted()
    var oldBefore = 0
    var newBefore = 0
    for (start, end) in zip(borders, borders.dropFirst()) {
      while oldBefore < oldGaps.count, oldGaps[oldBefore] <= start { oldBefore += 1 }
      while newBefore < newGaps.count, newGaps[newBefore] <= start { newBefore += 1 }
      runs.append(MatchedRun(old: start + oldBefore, new: start + newBefore, count: end - start))
    }
    for pair in pairs { runs.append(MatchedRun(old: pair.old, new: pair.new, count: 1)) }
    return runs.moved()
  }

  /// Adds a pair: the offsets of one element in both collections. If it follows the last pair in both, the last run
  /// becomes longer, which is cheap.
  @inlinable @inline(__always)
  mutating func append(old: Int, new: Int) {
    if let last = runs.last, last.old + last.count == old, last.new + last.count == new {
      lengthenLast()
    } else {
      append(MatchedRun(old: old, new: new, count: 1))
    }
  }

  @usableFromInline
  mutating func lengthenLast() { runs[runs.count - 1].count += 1 }

  @usableFromInline
  package mutating func append(_ run: MatchedRun) { if run.count > 0 { runs.append(run) } }

  /// The pairs of elements that have moved, in ascending order of new offsets.
  ///
  /// The elements that stay are the longest sequence that has the same order in both collections, so that the moved
  /// elements are as few as possible. Complexity: O(runs) if all are in order, else O(runs · log(runs)), and linear in
  /// the number of moved elements.
  @usableFromInline
  package mutating func moved() -> [(old: Int, new: Int)] {
    runs = runs.ordered { $0.new }
    if zip(runs, runs.dropFirst()).allSatisfy({ $0.old < $1.old }) { return [] }
    let stays = heaviestAscendingRuns()
    var moved: [(old: Int, new: Int)] = []
    for (run, stays) in zip(runs, stays) where !stays {
      for index in 0..<run.count { moved.append((run.old + index, run.new + index)) }
    }
    return moved
  }

  /// For each run, whether it belongs to the heaviest sequence of runs with ascending old offsets. The weight of a
  /// sequence is its number of elements.
  ///
  /// The runs are visited in their new order. A Fenwick tree over the ranks of their old offsets finds the heaviest
  /// sequence that ends at a smaller old offset.
  private func heaviestAscendingRuns() -> [Bool] {
    var rank = [Int](repeating: 0, count: runs.count)
    for (position, index) in Array(runs.indices).ordered(by: { runs[$0].old }).enumerated() {
      rank[index] = position
    }
    // For each run of elements: the number of elements in the longest sequence of runs that ends with it, and the run
    // before it in this sequence.
    var weight = [Int](repeating: 0, count: runs.count)
    var previous = [Int](repeating: -1, count: runs.count)
    var heaviest = [Int](repeating: -1, count: runs.count + 1)
    var best = -1
    for index in runs.indices {
      var node = rank[index]
      var before = -1
      while node > 0 {
        let candidate = heaviest[node]
        if candidate >= 0, before < 0 || weight[candidate] > weight[before] { before = candidate }
        node &= node - 1
      }
      previous[index] = before
      weight[index] = runs[index].count + (before < 0 ? 0 : weight[before])
      if best < 0 || weight[index] > weight[best] { best = index }
      node = rank[index] + 1
      while node < heaviest.count {
        if heaviest[node] < 0 || weight[index] > weight[heaviest[node]] { heaviest[node] = index }
        node += node & -node
      }
    }
    var stays = [Bool](repeating: false, count: runs.count)
    while best >= 0 {
      stays[best] = true
      best = previous[best]
    }
    return stays
  }
}
