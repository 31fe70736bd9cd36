extension ViewSections {
  typealias Changes = SectionChanges<Key, Element>

  /// The changes that lead from no sections to these.
  var asInserted: Changes {
    var changes = Changes()
    for (index, section) in enumerated() {
      changes.insertedSections.append(.init(key: section.id, index: index))
      for (row, element) in section.rows.enumerated() {
        changes.insertions.append(.init(element: element, place: .init(section: index, row: row)))
      }
    }
    return changes
  }

  /// The changes that lead from earlier sections of the view to these.
  ///
  /// Complexity: as for the changes of the rows, and linear in the sections.
  func changes(from old: ViewSections) -> Changes {
    if content.version == old.content.version { return Changes() }
    if let matches = content.matches(from: old.content), let pairs = sectionPairs(matches, from: old) {
      return changes(matches, pairs, stayed: [], from: old)
    }
    let matches = content.wholeMatches(from: old.content)
    return changes(matches, wholeSectionPairs(from: old), stayed: stayed(matches, from: old), from: old)
  }

  /// - Parameters:
  ///   - matches: where rows differ.
  ///   - pairs: the sections that may have lost or got rows.
  ///   - stayed: rows that may be in another section, besides those of `matches`.
  private func changes(
    _ matches: ViewContent.Matches,
    _ pairs: SectionPairs,
    stayed: [(old: Int, new: Int)],
    from old: ViewSections
  ) -> Changes {
    var moves = matches.moves
    let moved = moves.count > 4 ? Set(moves.map { $0.new }) : nil
    let known = moves
    for pair in matches.pairs + stayed {
      if moved?.contains(pair.new) ?? known.contains(where: { $0.new == pair.new }) { continue }
      if pairs.newIndex[old.section(of: pair.old)] != section(of: pair.new) { moves.append(pair) }
    }
    if moves.count > 1 { moves.sort { $0.new < $1.new } }

    var changes = Changes()
    for offset in matches.removals {
      changes.removals.append(.init(element: old.content[offset], place: old.place(of: offset)))
    }
    for offset in matches.insertions {
      changes.insertions.append(.init(element: content[offset], place: place(of: offset)))
    }
    for move in moves {
      changes.moves.append(
        .init(element: content[move.new], oldPlace: old.place(of: move.old), newPlace: place(of: move.new))
      )
    }
    for update in content.updates(matches.pairs, from: old.content) {
      changes.updates.append(
        .init(
          oldElement: old.content[update.old],
          element: content[update.new],
          oldPlace: old.place(of: update.old),
          newPlace: place(of: update.new)
        )
      )
    }
    for section in pairs.removed {
      changes.removedSections.append(.init(key: old.key(section), index: section))
    }
    for section in pairs.inserted {
      changes.insertedSections.append(.init(key: key(section), index: section))
    }
    return changes
  }

  // MARK: Which sections are the same

  /// Which of some sections exist in both states.
  private struct SectionPairs {
    /// The new index of each section that exists in both, by the old index.
    var newIndex: [Int: Int] = [:]
    /// The old indexes of the others, ascending.
    var removed: [Int] = []
    /// The new indexes of the others, ascending.
    var inserted: [Int] = []
  }

  /// Matches the sections with inserted, removed, moved or updated rows, and their neighbours. The result is `nil` if a
  /// section with unchanged rows has another key now, or if its unchanged rows are in several sections now. Then all
  /// sections must be compared.
  private func sectionPairs(_ matches: ViewContent.Matches, from old: ViewSections) -> SectionPairs? {
    if let pair = matches.pairs.first, matches.pairs.count == 1, matches.removals.isEmpty,
      matches.insertions.isEmpty,
      starts.count == old.starts.count
    {
      // The most frequent change: one row, which has others before it in its old and in its new section. So no section
      // has come or gone, and none has another key.
      let section = old.section(of: pair.old)
      if pair.old != old.starts[section] && pair.new != starts[self.section(of: pair.new)] {
        return SectionPairs(newIndex: [section: section])
      }
    }
    let both = matches.moves + matches.pairs
    let left = Set(matches.removals + both.map { $0.old }).sorted()
    let entered = Set(matches.insertions + both.map { $0.new }).sorted()
    var pairs = SectionPairs()
    var last = -1
    for section in old.sections(around: left) {
      guard let rows = old.rows(of: section, notIn: left) else {
        pairs.removed.append(section)
        continue
      }
      let first = Self.offset(of: rows.first, left, entered)
      let end = Self.offset(of: rows.last, left, entered)
      let found = self.section(of: first)
      if found != self.section(of: end) || found <= last || !Self.isSame(old.key(section), key(found)) {
        return nil
      }
      (last, pairs.newIndex[section]) = (found, found)
    }
    for section in sections(around: entered) {
      guard let rows = rows(of: section, notIn: entered) else {
        pairs.inserted.append(section)
        continue
      }
      let first = Self.offset(of: rows.first, entered, left)
      let end = Self.offset(of: rows.last, entered, left)
      let found = old.section(of: first)
      if found != old.section(of: end) || !Self.isSame(key(section), old.key(found)) { return nil }
    }
    match(&pairs, from: old)
    // Sections never move: those that are in both states have the same order in both.
    let isInOrder = pairs.newIndex.allSatisfy { index, found in
      index - pairs.removed.count { $0 < index } == found - pairs.inserted.count { $0 < found }
    }
    return isInOrder && old.count - pairs.removed.count == count - pairs.inserted.count ? pairs : nil
  }

  /// Converts the offset of a row from one state to the other state. The row must be in both states, and must not have
  /// moved.
  ///
  /// - Parameters:
  ///   - row: the offset in the first state.
  ///   - left: the offsets in the first state of the rows that are removed, moved or updated, ascending.
  ///   - entered: the offsets in the other state of the rows that are inserted, moved or updated, ascending.
  private static func offset(of row: Int, _ left: [Int], _ entered: [Int]) -> Int {
    var offset = row - left.prefix { $0 < row }.count
    for other in entered where other <= offset { offset += 1 }
    return offset
  }

  /// The indices of the sections that contain one of these row offsets or border on it, ascending.
  private func sections(around offsets: [Int]) -> [Int] {
    var sections: Set<Int> = []
    for offset in offsets {
      for near in offset - 1...offset + 1 where content.range.contains(near) {
        sections.insert(section(of: near))
      }
    }
    return sections.sorted()
  }

  /// All sections.
  private func wholeSectionPairs(from old: ViewSections) -> SectionPairs {
    var pairs = SectionPairs(removed: Array(old.indices), inserted: Array(indices))
    match(&pairs, from: old)
    return pairs
  }

  /// Matches removed and inserted sections that have the same key, in ascending order.
  private func match(_ pairs: inout SectionPairs, from old: ViewSections) {
    if pairs.removed.isEmpty || pairs.inserted.isEmpty { return }
    var places: [Key: Int] = [:]
    for index in pairs.inserted.reversed() { places[key(index)] = index }
    var last = -1
    for index in pairs.removed {
      guard let found = places[old.key(index)], found > last else { continue }
      (last, pairs.newIndex[index]) = (found, found)
    }
    let matched = Set(pairs.newIndex.values)
    pairs.removed.removeAll { pairs.newIndex[$0] != nil }
    pairs.inserted.removeAll { matched.contains($0) }
  }

  /// The rows that are neither removed, inserted nor moved.
  private func stayed(_ matches: ViewContent.Matches, from old: ViewSections) -> [(old: Int, new: Int)] {
    let left = matches.removals + matches.moves.map { $0.old }
    let entered = matches.insertions
    let gone = Set(left)
    let come = Set(entered + matches.moves.map { $0.new })
    let changed = Set(matches.pairs.map { $0.new })
    return zip(old.content.range.filter { !gone.contains($0) }, content.range.filter { !come.contains($0) })
      .filter { !changed.contains($0.1) }
      .map { ($0, $1) }
  }

  /// Whether two keys are the same. NaN is the same as itself.
  private static func isSame(_ a: Key, _ b: Key) -> Bool { a == b || a != a && b != b }

  private func key(_ section: Int) -> Key { keyOf(content[starts[section]]) }

  private func section(of offset: Int) -> Int { content.starts?.section(of: offset) ?? 0 }

  private func place(of offset: Int) -> Changes.Place {
    let section = section(of: offset)
    return .init(section: section, row: offset - starts[section])
  }

  /// The offsets of the first and the last row of a section that are not in a list.
  private func rows(of section: Int, notIn offsets: [Int]) -> (first: Int, last: Int)? {
    let rows = starts[section]..<(section + 1 < starts.count ? starts[section + 1] : content.fullCount)
    let others = Set(offsets.filter { rows.contains($0) })
    guard let first = rows.first(where: { !others.contains($0) }) else { return nil }
    return (first, rows.last { !others.contains($0) } ?? first)
  }
}
