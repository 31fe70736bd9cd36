/// A range in which two lists differ: old elements that new elements replace.
struct Stretch: Equatable {
  var old: Range<Int>
  var new: Range<Int>
}

extension Stretch {
  /// The default limit of insertions and removals. Beyond the limit, one stretch covers everything between the common
  /// beginning and the common end of two lists.
  static let mostEdits = 24

  /// The ranges in which two lists differ, in ascending order.
  ///
  /// Finds the fewest insertions and removals with the greedy algorithm of Myers, up to a limit.
  ///
  /// - Parameters:
  ///   - mostEdits: the limit of insertions and removals.
  ///   - areSame: compares the old element at the first offset with the new element at the second offset.
  /// - Complexity: O(n) comparisons, and O(n · edits) at most where the lists differ.
  static func all(
    _ oldCount: Int,
    _ newCount: Int,
    mostEdits: Int = mostEdits,
    areSame: (Int, Int) throws -> Bool
  ) rethrows -> [Stretch] {
    let limit = min(oldCount, newCount)
    var start = 0
    var end = 0
    while start < limit, try areSame(start, start) { start += 1 }
    if start == oldCount, start == newCount { return [] }
    while end < limit - start, try areSame(oldCount - 1 - end, newCount - 1 - end) { end += 1 }
    let whole = Stretch(old: start..<oldCount - end, new: start..<newCount - end)
    if whole.old.isEmpty || whole.new.isEmpty { return [whole] }
    let edits = try fewest(whole.old.count, whole.new.count, mostEdits) {
      try areSame(start + $0, start + $1)
    }
    guard let edits else { return [whole] }
    var stretches: [Stretch] = []
    for (i, j, isRemoval) in edits {
      let next = Stretch(
        old: start + i..<start + i + (isRemoval ? 1 : 0),
        new: start + j..<start + j + (isRemoval ? 0 : 1)
      )
      if let last = stretches.last, last.old.upperBound == next.old.lowerBound,
        last.new.upperBound == next.new.lowerBound
      {
        stretches[stretches.count - 1].old = last.old.lowerBound..<next.old.upperBound
        stretches[stretches.count - 1].new = last.new.lowerBound..<next.new.upperBound
      } else {
        stretches.append(next)
      }
    }
    return stretches
  }

  /// The fewest edits in ascending order. Each edit has its offsets in both lists. The result is `nil` if more edits
  /// than the limit are needed.
  private static func fewest(
    _ oldCount: Int,
    _ newCount: Int,
    _ mostEdits: Int,
    _ areSame: (Int, Int) throws -> Bool
  ) rethrows -> [(old: Int, new: Int, isRemoval: Bool)]? {
    let center = mostEdits + 1
    // For each diagonal (difference of the offsets in both lists), the farthest offset in the old list that the edits
    // have reached.
    var reached = [Int](repeating: 0, count: 2 * center + 1)
    var history: [[Int]] = []
    for edits in 0...mostEdits {
      history.append(reached)
      for diagonal in stride(from: -edits, through: edits, by: 2) {
        let isInsertion =
          diagonal == -edits
          || diagonal != edits && reached[center + diagonal - 1] < reached[center + diagonal + 1]
        var i = isInsertion ? reached[center + diagonal + 1] : reached[center + diagonal - 1] + 1
        while i < oldCount, i - diagonal < newCount, i >= diagonal, try areSame(i, i - diagonal) { i += 1 }
        reached[center + diagonal] = i
        if i >= oldCount, i - diagonal >= newCount {
          return path(to: oldCount, newCount, history, center)
        }
      }
    }
    return nil
  }

  /// Returns the edits of the shortest path that the search has found. Follows it backwards, from the ends of both
  /// lists to their beginnings.
  private static func path(to oldCount: Int, _ newCount: Int, _ history: [[Int]], _ center: Int) -> [(
    old: Int, new: Int, isRemoval: Bool
  )] {
    var edits: [(old: Int, new: Int, isRemoval: Bool)] = []
    var i = oldCount
    var j = newCount
    for number in history.indices.dropFirst().reversed() {
      let reached = history[number]
      let diagonal = i - j
      let isInsertion =
        diagonal == -number
        || diagonal != number && reached[center + diagonal - 1] < reached[center + diagonal + 1]
      let before = isInsertion ? diagonal + 1 : diagonal - 1
      i = reached[center + before]
      j = i - before
      edits.append((i, j, !isInsertion))
    }
    return edits.reversed()
  }
}
