extension Branch {
  /// Returns the result of combining all values, from the leaves to the root. The entries of tables are sorted by key.
  ///
  /// Needs constant stack at any depth. Complexity: O(n log n).
  func fold<Result>(
    leaf: (DictValue) -> Result,
    list: ([Result]) -> Result,
    table: ([String], [Result]) -> Result
  ) -> Result {
    var levels = [FoldLevel<Result>(self)]
    var result: Result?
    while var level = levels.popLast() {
      if let finished = result {
        level.results.append(finished)
        result = nil
      }
      var child: Branch?
      while child == nil, level.results.count < level.values.count {
        let value = level.values[level.results.count]
        child = value.branch
        if child == nil { level.results.append(leaf(value)) }
      }
      if let child {
        levels.append(level)
        levels.append(FoldLevel(child))
      } else {
        result = level.keys.map { table($0, level.results) } ?? list(level.results)
      }
    }
    // Here `result` is set: the loop ends when the outermost branch was combined.
    return result ?? list([])
  }
}

/// A list or table that is being combined: its values, and the results for the values that were combined so far.
private struct FoldLevel<Result> {
  let keys: [String]?
  let values: [DictValue]
  var results: [Result] = []

  init(_ branch: Branch) {
    (keys, values) = branch.ordered
  }
}
