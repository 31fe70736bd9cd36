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
    let matches = content.matches(from: old.content) ?? content.wholeMatches(from: old.content)
    var moves = matches.moves
    for pair in matches.pairs where !isInSection(pair.new, of: old.content.element(at: pair.old)) {
      if !moves.contains(where: { $0.new == pair.new }) { moves.append(pair) }
    }
    if moves.count > 1 { moves.sort { $0.new < $1.new } }
    let updates = content.updates(matches.pairs, from: old.content)

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
    for update in updates {
      changes.updates.append(
        .init(
          oldElement: old.content[update.old],
          element: content[update.new],
          oldPlace: old.place(of: update.old),
          newPlace: place(of: update.new)
        )
      )
    }
    let (left, entered) = (matches.removals + moves.map { $0.old }, matches.insertions + moves.map { $0.new })
    for section in old.sections(of: left, missingIn: self) {
      changes.removedSections.append(.init(key: old[section].id, index: section))
    }
    for section in sections(of: entered, missingIn: old) {
      changes.insertedSections.append(.init(key: self[section].id, index: section))
    }
    return changes
  }

  /// Whether the row at an offset is in the section to which an element belongs.
  private func isInSection(_ offset: Int, of element: UnsafeRawPointer) -> Bool {
    content.order.orders[0].compare(content.element(at: offset), element) == 0
  }

  private func place(of offset: Int) -> Changes.Place {
    let section = content.starts?.section(of: offset) ?? 0
    return .init(section: section, row: offset - starts[section])
  }

  /// The indexes of the sections at some offsets that other sections do not have, ascending.
  ///
  /// - Parameter offsets: the offsets of all rows that the other sections do not have in the same sections.
  private func sections(of offsets: [Int], missingIn other: ViewSections) -> [Int] {
    var sections: [Int] = []
    for offset in offsets {
      guard let section = content.starts?.section(of: offset), !sections.contains(section) else { continue }
      // A section that has further rows exists in both.
      let end = section + 1 < starts.count ? starts[section + 1] : content.fullCount
      if end - starts[section] > offsets.count { continue }
      if !other.hasSection(of: content.element(at: starts[section])) { sections.append(section) }
    }
    return sections.count < 2 ? sections : sections.sorted()
  }

  /// Whether there is a section to which an element belongs.
  private func hasSection(of element: UnsafeRawPointer) -> Bool {
    var (first, end) = (0, starts.count)
    while first < end {
      let middle = (first + end) / 2
      let result = content.order.orders[0].compare(content.element(at: starts[middle]), element)
      if result == 0 { return true }
      if result > 0 { end = middle } else { first = middle + 1 }
    }
    return false
  }
}
