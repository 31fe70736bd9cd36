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
    changes.removals = matches.removals.map { .init(element: old.content[$0], place: old.place(of: $0)) }
    changes.insertions = matches.insertions.map { .init(element: content[$0], place: place(of: $0)) }
    changes.moves = moves.map {
      .init(element: content[$1], oldPlace: old.place(of: $0), newPlace: place(of: $1))
    }
    changes.updates = updates.map {
      .init(
        oldElement: old.content[$0.old],
        element: content[$0.new],
        oldPlace: old.place(of: $0.old),
        newPlace: place(of: $0.new)
      )
    }
    changes.removedSections = old.sections(of: matches.removals, moves.map { $0.old }, missingIn: self)
    changes.insertedSections = sections(of: matches.insertions, moves.map { $0.new }, missingIn: old)
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

  /// The sections at some offsets that other sections do not have.
  private func sections(of a: [Int], _ b: [Int], missingIn other: ViewSections) -> [Changes.Section] {
    var sections: [Int] = []
    for offset in a + b {
      guard let section = content.starts?.section(of: offset), !sections.contains(section) else { continue }
      if !other.hasSection(of: content.element(at: starts[section])) { sections.append(section) }
    }
    return sections.sorted().map { .init(key: self[$0].id, index: $0) }
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
