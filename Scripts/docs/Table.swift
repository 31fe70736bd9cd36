final class Table: Sendable {
  func apply(_ changes: ElementChanges<Item>) {}
}
nonisolated let table = Table()
nonisolated func reload(row: Int) {}
