import FlaskDiff

/// W17: one element of an array was updated and one was moved.
func lists(_ size: Int) -> [Contender] {
  let old = Row.rows(size)
  var new = old
  new[size / 3].count = 1
  new.insert(new.remove(at: size / 4), at: size / 2)
  // As decoded anew: no element has the same bits as before.
  let fresh = new.map { row in
    var row = row
    row.title = "a longer title of row \(row.id)"
    return row
  }
  let before = old.map { row in
    var row = row
    row.title = "a longer title of row \(row.id)"
    return row
  }
  func contender(_ name: String, _ body: @escaping () -> Void) -> Contender {
    Field(name: name, size: size).contender(.list, per: 1, body)
  }
  return [
    contender("ElementChanges") { use(ElementChanges(from: old, to: new)) },
    contender("by hand with a dictionary") { use(changesByHand(from: old, to: new)) },
    contender("ElementChanges, all strings anew") { use(ElementChanges(from: before, to: fresh)) },
    contender("by hand, all strings anew") { use(changesByHand(from: before, to: fresh)) },
  ]
}

/// A pass as one would write it: no order among what has stayed, so no moves but by different offsets.
func changesByHand(from old: [Row], to new: [Row]) -> (Int, [Int], [Int], [(Int, Int)]) {
  var offsets: [Int: Int] = [:]
  offsets.reserveCapacity(old.count)
  for (offset, row) in old.enumerated() { offsets[row.id] = offset }
  var inserted: [Int] = []
  var updated: [Int] = []
  var moved: [(Int, Int)] = []
  var found = 0
  for (offset, row) in new.enumerated() {
    guard let before = offsets[row.id] else {
      inserted.append(offset)
      continue
    }
    found += 1
    if old[before] != row { updated.append(offset) }
    if before != offset { moved.append((before, offset)) }
  }
  return (found, inserted, updated, moved)
}
