internal import FlaskEntities
internal import Foundation

/// The rows at one path of a part, as the database has them. Type-erased; `TypedRowTable` is the only subclass.
class RowTable {
  let part: String
  let steps: [EntitiesCollector.Step]
  /// The rows that this program can't read. They stay as they are.
  private(set) var unreadable: [String: ArchiveError] = [:]

  fileprivate init(part: String, steps: [EntitiesCollector.Step]) {
    self.part = part
    self.steps = steps
  }

  /// The name of a path in the database.
  static func name(of steps: [EntitiesCollector.Step]) -> String {
    steps.map { step in
      guard case .key(let key) = step else { return "" }
      return key.split(separator: ".", omittingEmptySubsequences: false).joined(separator: "\\.")
    }.joined(separator: ".")
  }

  var path: String { Self.name(of: steps) }

  /// The elements that can be read, in order.
  var content: EntitiesContent { preconditionFailure("overridden") }

  /// Takes over what others have written.
  ///
  /// - Parameters:
  ///   - rows: rows at this path.
  ///   - removed: the identities of removed rows.
  ///   - isWhole: whether there are no other rows.
  /// - Returns: why rows can't be read, of those that could be read before.
  func apply(_ rows: [SharedRecord], removed: [String], isWhole: Bool, _ coding: RowCoding) -> [ArchiveError]
  {
    preconditionFailure("overridden")
  }

  /// The keys of the rows that the changes from `base` to `mine` concern.
  func keys(from base: EntitiesContent, to mine: EntitiesContent) -> [RecordKey] {
    preconditionFailure("overridden")
  }

  /// The rows to write, so that the table has the changes from `base` to `mine`.
  func writes(
    from base: EntitiesContent,
    to mine: EntitiesContent,
    _ stored: [String: SharedRecord],
    _ coding: RowCoding
  )
    -> TableWrites
  {
    preconditionFailure("overridden")
  }

  /// Shares the tree of equal elements.
  func share(_ content: EntitiesContent) { preconditionFailure("overridden") }

  fileprivate func setError(of id: String, _ error: ArchiveError?) { unreadable[id] = error }
  fileprivate func forgetUnreadable() { unreadable = [:] }
  fileprivate func key(_ id: String) -> RecordKey { RecordKey(part: part, path: path, id: id) }
}

/// The rows that a table writes in one transaction.
struct TableWrites {
  var rows: [SharedRecord] = []
  var removed: [RecordKey] = []
  var orders: [RecordKey: String] = [:]
  /// Rows that were edited here, and removed elsewhere.
  var dropped: [RecordKey] = []
  /// Rows that are left out, with the reason.
  var failed: [(key: RecordKey, error: ArchiveError)] = []
  /// The elements of the table after the transaction.
  var content: EntitiesContent
  /// To be called once it is written.
  var settle: () -> Void
}

/// The rows at one path, with the type of their elements.
///
/// It belongs to the thread that works for its group. The elements may be shared with states.
final class TypedRowTable<Element: Identifiable & Codable>: RowTable {
  private var entities = Entities<Element>()
  private var orders: [Element.ID: String] = [:]

  override init(part: String, steps: [EntitiesCollector.Step]) { super.init(part: part, steps: steps) }

  override var content: EntitiesContent { .of(entities) }

  override func share(_ content: EntitiesContent) {
    if let entities = content.entities(of: Element.self) { self.entities = entities }
  }

  // MARK: Rows of others

  override func apply(_ rows: [SharedRecord], removed: [String], isWhole: Bool, _ coding: RowCoding)
    -> [ArchiveError]
  {
    var errors: [ArchiveError] = []
    var gone = removed
    var arriving: [(element: Element, order: String)] = []
    arriving.reserveCapacity(rows.count)
    let known = unreadable
    let batch = RowCoding.Batch<Element>(coding)
    if isWhole { forgetUnreadable() }
    for row in rows {
      do throws(ArchiveError) {
        let element = try batch.value(of: row)
        guard try RowIdentity.text(of: element.id) == row.key.id else {
          throw .doesNotFit(reason: "the row has the identity \(row.key.id), and its body another one")
        }
        setError(of: row.key.id, nil)
        arriving.append((element, row.order))
      } catch {
        if known[row.key.id] == nil { errors.append(error) }
        setError(of: row.key.id, error)
        gone.append(row.key.id)
      }
    }
    if isWhole { return errors + replaceAll(arriving) }
    let present = Set(rows.map(\.key.id))
    for id in gone {
      if !present.contains(id) { setError(of: id, nil) }
      guard let id = RowIdentity.identity(Element.ID.self, from: id) else { continue }
      entities.remove(id: id)
      orders[id] = nil
    }
    if arriving.count > 64, arriving.count > entities.count / 8 {
      replace(arriving)
    } else {
      for (element, order) in arriving { put(element, order) }
    }
    return errors
  }

  private func put(_ element: Element, _ order: String) {
    let id = element.id
    if orders[id] == order {
      entities[id: id] = element
      return
    }
    entities.remove(id: id)
    orders[id] = order
    var low = 0
    var high = entities.count
    while low < high {
      let middle = (low + high) / 2
      if isBefore(entities[middle].id, order, id) { low = middle + 1 } else { high = middle }
    }
    entities.insert(element, at: low)
  }

  private func isBefore(_ other: Element.ID, _ order: String, _ id: Element.ID) -> Bool {
    let otherOrder = orders[other] ?? ""
    if otherOrder != order { return OrderKey.precedes(otherOrder, order) }
    return OrderKey.precedes((try? RowIdentity.text(of: other)) ?? "", (try? RowIdentity.text(of: id)) ?? "")
  }

  /// Puts many rows, in one pass.
  private func replace(_ arriving: [(element: Element, order: String)]) {
    var all: [Element.ID: (element: Element, order: String)] = [:]
    for element in entities { all[element.id] = (element, orders[element.id] ?? "") }
    for row in arriving { all[row.element.id] = row }
    _ = replaceAll(Array(all.values))
  }

  private func replaceAll(_ rows: [(element: Element, order: String)]) -> [ArchiveError] {
    orders = [:]
    orders.reserveCapacity(rows.count)
    for row in rows { orders[row.element.id] = row.order }
    // The texts of keys are ASCII, so their order is that of their bytes.
    let areSorted = zip(rows, rows.dropFirst()).allSatisfy { $0.order < $1.order }
    let sorted =
      areSorted
      ? rows
      : rows.sorted { a, b in
        a.order == b.order ? isBefore(a.element.id, b.order, b.element.id) : a.order < b.order
      }
    let old = entities
    entities = Entities(sorted.map { old.isEmpty ? $0.element : known($0.element) })
    if let edit = EntitiesContent.of(entities).edit(from: .of(old)), edit.isEmpty { entities = old }
    return []
  }

  /// The element that was known before, if it has the same text: so it is the same in memory, too.
  private func known(_ element: Element) -> Element {
    guard let old = entities[id: element.id], let text = try? RowCoding.text(of: old),
      text == (try? RowCoding.text(of: element))
    else { return element }
    return old
  }

  // MARK: Rows of ours

  override func keys(from base: EntitiesContent, to mine: EntitiesContent) -> [RecordKey] {
    guard let edit = mine.edit(from: base), let base = base.entities(of: Element.self),
      let mine = mine.entities(of: Element.self)
    else { return [] }
    let ids =
      edit.removedOffsets.map { base[$0].id }
      + (edit.updatedOffsets + edit.insertedOffsets).map { mine[$0].id }
    return ids.compactMap { try? key(RowIdentity.text(of: $0)) }
  }

  override func writes(
    from base: EntitiesContent,
    to mine: EntitiesContent,
    _ stored: [String: SharedRecord],
    _ coding: RowCoding
  ) -> TableWrites {
    guard let base = base.entities(of: Element.self), let mine = mine.entities(of: Element.self) else {
      return TableWrites(content: content) {}
    }
    func record(_ id: Element.ID) -> SharedRecord? { (try? RowIdentity.text(of: id)).flatMap { stored[$0] } }
    let merge = RowMerge(
      base: base,
      mine: mine,
      theirs: entities,
      coding: coding,
      stored: { record($0).flatMap { try? coding.migrated($0) } },
      refuses: { [unreadable] id in
        do throws(ArchiveError) {
          let text = try RowIdentity.text(of: id)
          return unreadable[text].map { .refused(reason: "its row can't be read: \($0)") }
        } catch {
          return error
        }
      }
    )
    var writes = TableWrites(content: .of(merge.merged)) {}
    for (id, error) in merge.failed { writes.failed.append((name(of: id), error)) }
    writes.dropped = merge.dropped.map { name(of: $0) }
    writes.removed = merge.removed.map { name(of: $0) }
    let placed = assignOrders(merge)
    for change in merge.changes {
      let order = placed[change.id] ?? orders[change.id] ?? ""
      let key = name(of: change.id)
      writes.rows.append(
        SharedRecord(
          key: key,
          order: order,
          version: coding.version,
          body: String(decoding: change.text, as: UTF8.self)
        )
      )
    }
    let written = Set(merge.changes.map(\.id))
    for (id, order) in placed where !written.contains(id) && orders[id] != order {
      writes.orders[name(of: id)] = order
    }
    writes.settle = { [unowned self] in
      entities = merge.merged
      for id in merge.removed { orders[id] = nil }
      orders.merge(placed) { $1 }
    }
    return writes
  }

  private func name(of id: Element.ID) -> RecordKey { key((try? RowIdentity.text(of: id)) ?? "") }

  /// The orders of the elements that were placed, and of those that must make room for them.
  private func assignOrders(_ merge: RowMerge<Element>) -> [Element.ID: String] {
    var result: [Element.ID: String] = [:]
    let merged = merge.merged
    func order(at index: Int) -> String? {
      guard merged.indices.contains(index) else { return nil }
      let id = merged[index].id
      return result[id] ?? orders[id] ?? ""
    }
    let offsets = merge.placed.compactMap { merged.index(id: $0) }
    var start = 0
    while start < offsets.count {
      var end = start + 1
      while end < offsets.count, offsets[end] == offsets[end - 1] + 1 { end += 1 }
      var low = offsets[start]
      var high = offsets[end - 1] + 1
      var reach = 32
      while true {
        if let keys = OrderKey.keys(after: order(at: low - 1), before: order(at: high), count: high - low) {
          for (index, key) in zip(low..<high, keys) { result[merged[index].id] = key }
          break
        }
        // There is no room, so a window around the gap gets new orders, too. The window of all elements has room.
        low = max(0, low - reach)
        high = min(merged.count, high + reach)
        reach *= 2
      }
      // A window may have reached placed elements behind it.
      while end < offsets.count, offsets[end] < high { end += 1 }
      start = end
    }
    return result
  }
}
