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
    let rows = content.changes(from: old.content)
    // The rows that may be in another section: those that may have another value.
    let pairs = content.matches(from: old.content)?.pairs ?? rows.updates.map { ($0.oldOffset, $0.newOffset) }
    var moves = rows.moves.map { (old: $0.oldOffset, new: $0.newOffset) }
    let moved = Set(moves.map(\.new))
    moves += pairs.filter { !moved.contains($0.new) && !isInSection($0.new, of: old.content.element(at: $0.old)) }
    moves.sort { $0.new < $1.new }

    var changes = Changes()
    changes.removals = rows.removals.map { .init(element: $0.element, place: old.place(of: $0.offset)) }
    changes.insertions = rows.insertions.map { .init(element: $0.element, place: place(of: $0.offset)) }
    changes.moves = moves.map { .init(element: content[$1], oldPlace: old.place(of: $0), newPlace: place(of: $1)) }
    changes.updates = rows.updates.map {
      .init(
        oldElement: $0.oldElement,
        element: $0.element,
        oldPlace: old.place(of: $0.oldOffset),
        newPlace: place(of: $0.newOffset)
      )
    }
    changes.removedSections = old.sections(
      of: changes.removals.map(\.place) + changes.moves.map(\.oldPlace),
      missingIn: self
    )
    changes.insertedSections = sections(
      of: changes.insertions.map(\.place) + changes.moves.map(\.newPlace),
      missingIn: old
    )
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

  /// The sections of some places that other sections do not have.
  private func sections(of places: [Changes.Place], missingIn other: ViewSections) -> [Changes.Section] {
    Set(places.map(\.section)).sorted().compactMap { section in
      let element = content.element(at: starts[section])
      return other.hasSection(of: element) ? nil : .init(key: self[section].id, index: section)
    }
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
