struct SharedModelPlace: Hashable {
  /// The identity of a row; `nil` for the title of the ledger.
  let row: Int?
  let property: String
}

/// What a process has changed and not yet saved.
struct SharedModelPending {
  var values: [SharedModelPlace: Int] = [:]
  var inserted: Set<Int> = []
  var removed: Set<Int> = []
  var stamp: Int?

  var isEmpty: Bool { values.isEmpty && inserted.isEmpty && removed.isEmpty && stamp == nil }

  /// What was saved is not pending, unless it was changed again.
  mutating func remove(_ saved: SharedModelPending) {
    for (place, value) in saved.values where values[place] == value { values[place] = nil }
    inserted.subtract(saved.inserted)
    removed.subtract(saved.removed)
    if stamp == saved.stamp { stamp = nil }
  }
}

struct SharedModel {
  var title = 0
  var stamp = 0
  var rows: [Int: [String: Int]] = [:]
  /// The numbers of the transactions that were committed.
  var landed: Set<Int> = []

  mutating func apply(_ pending: SharedModelPending) {
    for id in pending.inserted where rows[id] == nil { rows[id] = ["x": 0, "y": 0] }
    for (place, value) in pending.values {
      if let row = place.row { rows[row]?[place.property] = value } else { title = value }
    }
    for id in pending.removed { rows[id] = nil }
    if let stamp = pending.stamp { self.stamp = stamp }
  }
}
