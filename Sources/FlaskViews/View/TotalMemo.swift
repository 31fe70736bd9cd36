internal import FlaskPrimitives

/// Keeps the last total of a view's elements, from which the next one is made. It does not matter which one is kept.
final class TotalMemo<Element: Identifiable & Sendable, Total: Sendable>: Sendable where Element.ID: Sendable {
  private let last = Lock<(content: TypedContent<Element>, total: Total)?>(nil)
  private let initial: Total
  private let add: @Sendable (inout Total, Element) -> Void
  private let remove: @Sendable (inout Total, Element) -> Void

  init(
    _ initial: Total,
    add: @escaping @Sendable (inout Total, Element) -> Void,
    remove: @escaping @Sendable (inout Total, Element) -> Void
  ) {
    (self.initial, self.add, self.remove) = (initial, add, remove)
  }

  /// - Parameter isImpure: whether a total depends on more than its elements.
  func total(of rows: ViewRows<Element>, isImpure: Bool) -> Total {
    let old = isImpure ? nil : last.withLock { $0 }
    let total = changed(old, rows) ?? whole(rows)
    let replaced = last.withLock { last in
      defer { last = (rows.content, total) }
      return last
    }
    return withExtendedLifetime(replaced) { total }
  }

  private func whole(_ rows: ViewRows<Element>) -> Total {
    var total = initial
    for element in rows { add(&total, element) }
    return total
  }

  private func changed(_ old: (content: TypedContent<Element>, total: Total)?, _ rows: ViewRows<Element>) -> Total? {
    guard let old, let changes = rows.content.knownChanges(from: old.content) else { return nil }
    var total = old.total
    for removal in changes.removals { remove(&total, removal.element) }
    for update in changes.updates {
      remove(&total, update.oldElement)
      add(&total, update.element)
    }
    for insertion in changes.insertions { add(&total, insertion.element) }
    return total
  }
}
