internal import FlaskEntities
internal import Foundation

/// The merge of elements that were changed here and elsewhere. A pure function of three versions: the base, from which
/// both have come; mine; and theirs.
///
/// - An element that only one side has changed is taken from that side; one that both have changed is merged.
/// - A removal beats an edit. An edit of an element that the other side has removed is dropped.
/// - The order is that of the other side. An element that was inserted or moved here comes behind its nearest
///   predecessor here that is present, and behind what the other side has inserted there.
struct RowMerge<Element: Identifiable & Codable> {
  /// An element of the result whose text is not that of the other side.
  struct Change {
    let id: Element.ID
    /// The text of the merged element.
    let text: Data
  }

  private let base: Entities<Element>
  private let mine: Entities<Element>
  private let coding: RowCoding
  private let keepsFailed: Bool
  /// Returns the stored text of an element that the other side has, in the shape of this version; `nil` to use the text
  /// that this program would write.
  private let stored: (Element.ID) -> Data?

  /// The result.
  private(set) var merged: Entities<Element>
  private(set) var changes: [Change] = []
  /// The elements that were inserted or moved here, ascending in the result.
  private(set) var placed: [Element.ID] = []
  /// The elements of the other side that were removed here.
  private(set) var removed: [Element.ID] = []
  /// The elements that were edited here and that the other side has removed.
  private(set) var dropped: [Element.ID] = []
  /// The elements that can't be merged or encoded, which are left as the other side has them.
  private(set) var failed: [(id: Element.ID, error: ArchiveError)] = []

  /// - Parameters:
  ///   - keepsFailed: whether elements that can't be merged or encoded are left as they are here.
  ///   - refuses: returns the reason why an element must not be written.
  init(
    base: Entities<Element>,
    mine: Entities<Element>,
    theirs: Entities<Element>,
    coding: RowCoding,
    keepsFailed: Bool = false,
    stored: @escaping (Element.ID) -> Data? = { _ in nil },
    refuses: (Element.ID) -> ArchiveError? = { _ in nil }
  ) {
    self.base = base
    self.mine = mine
    self.coding = coding
    self.keepsFailed = keepsFailed
    self.stored = stored
    merged = theirs
    guard let edit = EntitiesContent.of(mine).edit(from: .of(base)), !edit.isEmpty else { return }
    // Nothing has changed elsewhere, so that mine is the result.
    let isAlone = EntitiesContent.of(theirs).edit(from: .of(base))?.isEmpty == true
    for offset in edit.removedOffsets { remove(base[offset].id, refuses) }
    for offset in edit.updatedOffsets { update(mine[offset], refuses) }
    place(edit, refuses)
    if isAlone, failed.isEmpty, dropped.isEmpty { merged = mine }
  }

  /// Whether mine differs from the other side.
  var isChanged: Bool { !(changes.isEmpty && placed.isEmpty && removed.isEmpty) }

  private mutating func remove(_ id: Element.ID, _ refuses: (Element.ID) -> ArchiveError?) {
    if let error = refuses(id) {
      failed.append((id, error))
      return
    }
    if merged.remove(id: id) != nil { removed.append(id) }
  }

  private mutating func update(_ element: Element, _ refuses: (Element.ID) -> ArchiveError?) {
    let id = element.id
    if let error = refuses(id) {
      failed.append((id, error))
      return
    }
    do throws(ArchiveError) {
      var before = Data()
      if let known = base[id: id] { before = try RowCoding.text(of: known) }
      let text = try RowCoding.text(of: element)
      guard let other = merged[id: id] else {
        // A change of properties that are not shared is no edit.
        if text != before { dropped.append(id) }
        return
      }
      merged[id: id] = try merge(before, text, element, with: other)
    } catch {
      failed.append((id, error))
      if keepsFailed { merged[id: id] = element }
    }
  }

  private mutating func merge(_ before: Data?, _ text: Data, _ mine: Element, with other: Element)
    throws(ArchiveError) -> Element
  {
    var theirs = stored(mine.id)
    if theirs == nil { theirs = try RowCoding.text(of: other) }
    if before == text {
      // Only properties that are not shared have changed here.
      return try RowCoding.text(of: other) == text ? mine : other
    }
    let result = try coding.merge(Element.self, base: before, mine: text, theirs: theirs ?? Data())
    if result != theirs {
      changes.append(Change(id: mine.id, text: result))
    }
    return result == text ? mine : try coding.decode(Element.self, result)
  }

  private mutating func place(_ edit: EntitiesEdit, _ refuses: (Element.ID) -> ArchiveError?) {
    let moved = Set(edit.moves.map(\.new))
    let offsets = (edit.insertedOffsets + edit.moves.map(\.new)).sorted()
    var start = 0
    while start < offsets.count {
      var end = start + 1
      while end < offsets.count, offsets[end] == offsets[end - 1] + 1 { end += 1 }
      var block: [Element] = []
      for offset in offsets[start..<end] {
        if let element = arriving(mine[offset], isMoved: moved.contains(offset), refuses) {
          block.append(element)
        }
      }
      var place = place(before: offsets[start])
      for element in block {
        merged.insert(element, at: place)
        place += 1
        placed.append(element.id)
      }
      start = end
    }
    let places = placed.compactMap { id in merged.index(id: id).map { (id, $0) } }
    placed = places.sorted { $0.1 < $1.1 }.map(\.0)
  }

  /// Takes an element out of the result, to be inserted in another place.
  private mutating func arriving(
    _ element: Element,
    isMoved: Bool,
    _ refuses: (Element.ID) -> ArchiveError?
  ) -> Element? {
    let id = element.id
    if let error = refuses(id) {
      failed.append((id, error))
      return nil
    }
    if isMoved { return merged.remove(id: id) }
    do throws(ArchiveError) {
      let text = try RowCoding.text(of: element)
      guard let other = merged[id: id] else {
        changes.append(Change(id: id, text: text))
        return element
      }
      let result = try merge(nil, text, element, with: other)
      merged.remove(id: id)
      return result
    } catch {
      failed.append((id, error))
      if !keepsFailed { return nil }
      merged.remove(id: id)
      return element
    }
  }

  /// The offset in the result for a block that begins at an offset here.
  private func place(before start: Int) -> Int {
    var offset = start - 1
    while offset >= 0, !merged.contains(id: mine[offset].id) { offset -= 1 }
    var place = offset < 0 ? 0 : (merged.index(id: mine[offset].id) ?? -1) + 1
    while place < merged.count, !mine.contains(id: merged[place].id), !base.contains(id: merged[place].id) {
      place += 1
    }
    return place
  }
}
