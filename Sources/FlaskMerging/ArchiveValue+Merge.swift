package import FlaskCore

extension ArchiveValue {
  /// Merges two changed versions of a value, key by key. A change that only one side has made is taken from that side.
  /// If both sides have changed a value, `mine` is used, since it is written last. An array counts as one value.
  ///
  /// - Parameters:
  ///   - base: the common ancestor; `nil` if none is known.
  ///   - mine: the value as changed here.
  ///   - theirs: the value as changed elsewhere.
  ///   - levels: how deep keys are looked into.
  /// - Returns: the merged value. In values that `NotedPlaces` has marked, elements are matched by identity; of two
  ///   different cases of an enum, `mine` is used.
  /// - Complexity: O(*n*) in the size of the values; the stack grows with the depth.
  package static func merge(
    base: ArchiveValue?,
    mine: ArchiveValue?,
    theirs: ArchiveValue?,
    levels: Int
  ) -> ArchiveValue? {
    if mine == base { return theirs }
    if theirs == base || mine == theirs { return mine }
    if let own = mine?.choice, let other = theirs?.choice, Set(own.keys) != Set(other.keys) { return mine }
    if levels > 0, let own = mine?.keyedElements, let other = theirs?.keyedElements {
      return .elements(KeyedElements.merge(base: base?.keyedElements ?? [], mine: own, theirs: other, levels))
    }
    guard levels > 0, case .object(let mine)? = mine, case .object(let theirs)? = theirs else { return mine }
    let base = base?.object ?? [:]
    var merged: [String: ArchiveValue] = [:]
    for key in Set(mine.keys).union(theirs.keys) {
      merged[key] = merge(base: base[key], mine: mine[key], theirs: theirs[key], levels: levels - 1)
    }
    return .object(merged)
  }
}
