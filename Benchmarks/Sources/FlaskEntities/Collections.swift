import FlaskDiff
import HashTreeCollections
import OrderedCollections

func entities(_ size: Int) -> [Result] {
  let rows = Row.rows(size)
  let base = Entities(rows)
  let ids = Row.chosen(of: size)
  var next = 0
  func result(_ operation: Operation, _ value: Double) -> Result {
    Result(name: "Entities", operation: operation, size: size, value: value)
  }
  var changed = base
  changed[id: ids[7]]?.count = 99
  return [
    result(.memory, bytes(per: size) { Entities(rows) }),
    result(
      .lookup,
      time(per: ids.count) {
        var sum = 0
        for id in opaque(ids) { sum &+= base[id: id]?.count ?? 1 }
        use(sum)
      }
    ),
    result(
      .iteration,
      time(per: size) {
        var sum = 0
        for row in opaque(base) { sum &+= row.count }
        use(sum)
      }
    ),
    result(
      .change,
      time {
        var copy = base
        next = (next + 1) % ids.count
        copy[id: ids[next]]?.count = next
        use(copy)
      }
    ),
    result(
      .insertion,
      time {
        var copy = base
        copy.insert(Row(id: -1, title: ""), at: size / 2)
        use(copy)
      }
    ),
    result(.comparison, time { use(ElementChanges(from: opaque(base), to: changed)) }),
  ]
}

func array(_ size: Int) -> [Result] {
  let rows = Row.rows(size)
  let ids = Row.chosen(of: size)
  var next = 0
  func result(_ operation: Operation, _ value: Double) -> Result {
    Result(name: "Array", operation: operation, size: size, value: value)
  }
  var changed = rows
  changed[size / 2].count = 99
  let searched = ids.prefix(size > 100_000 ? 4 : 64)
  return [
    result(.memory, bytes(per: size) { rows.map { $0 } }),
    result(
      .lookup,
      time(per: searched.count) {
        var sum = 0
        for id in opaque(searched) { sum &+= rows.first { $0.id == id }?.count ?? 1 }
        use(sum)
      }
    ),
    result(
      .iteration,
      time(per: size) {
        var sum = 0
        for row in opaque(rows) { sum &+= row.count }
        use(sum)
      }
    ),
    result(
      .change,
      time {
        var copy = rows
        next = (next + 7919) % size
        copy[next].count = next
        use(copy)
      }
    ),
    result(
      .insertion,
      time {
        var copy = rows
        copy.insert(Row(id: -1, title: ""), at: size / 2)
        use(copy)
      }
    ),
    result(.comparison, time { use(opaque(rows).indices.filter { rows[$0] != changed[$0] }) }),
  ]
}

func dictionary(_ size: Int) -> [Result] {
  let rows = Row.rows(size)
  let base = Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0) })
  let ids = Row.chosen(of: size)
  var next = 0
  func result(_ operation: Operation, _ value: Double) -> Result {
    Result(name: "Dictionary", operation: operation, size: size, value: value)
  }
  var changed = base
  changed[ids[7]]?.count = 99
  return [
    result(.memory, bytes(per: size) { Dictionary(uniqueKeysWithValues: rows.lazy.map { ($0.id, $0) }) }),
    result(
      .lookup,
      time(per: ids.count) {
        var sum = 0
        for id in opaque(ids) { sum &+= base[id]?.count ?? 1 }
        use(sum)
      }
    ),
    result(
      .iteration,
      time(per: size) {
        var sum = 0
        for row in opaque(base).values { sum &+= row.count }
        use(sum)
      }
    ),
    result(
      .change,
      time {
        var copy = base
        next = (next + 1) % ids.count
        copy[ids[next]]?.count = next
        use(copy)
      }
    ),
    result(.comparison, time { use(base.filter { changed[$0.key] != $0.value }) }),
  ]
}

func treeDictionary(_ size: Int) -> [Result] {
  let rows = Row.rows(size)
  let base = TreeDictionary(uniqueKeysWithValues: rows.map { ($0.id, $0) })
  let ids = Row.chosen(of: size)
  var next = 0
  func result(_ operation: Operation, _ value: Double) -> Result {
    Result(name: "TreeDictionary", operation: operation, size: size, value: value)
  }
  var changed = base
  changed[ids[7]]?.count = 99
  return [
    result(.memory, bytes(per: size) { TreeDictionary(uniqueKeysWithValues: rows.lazy.map { ($0.id, $0) }) }),
    result(
      .lookup,
      time(per: ids.count) {
        var sum = 0
        for id in opaque(ids) { sum &+= base[id]?.count ?? 1 }
        use(sum)
      }
    ),
    result(
      .iteration,
      time(per: size) {
        var sum = 0
        for row in opaque(base).values { sum &+= row.count }
        use(sum)
      }
    ),
    result(
      .change,
      time {
        var copy = base
        next = (next + 1) % ids.count
        copy[ids[next]]?.count = next
        use(copy)
      }
    ),
    // It has no comparison that says what differs: this one says whether something does.
    result(.comparison, time { use(opaque(base) == changed) }),
  ]
}

func orderedDictionary(_ size: Int) -> [Result] {
  let rows = Row.rows(size)
  let base = OrderedDictionary(uniqueKeysWithValues: rows.map { ($0.id, $0) })
  let ids = Row.chosen(of: size)
  var next = 0
  func result(_ operation: Operation, _ value: Double) -> Result {
    Result(name: "OrderedDictionary", operation: operation, size: size, value: value)
  }
  var changed = base
  changed[ids[7]]?.count = 99
  return [
    result(
      .memory,
      bytes(per: size) { OrderedDictionary(uniqueKeysWithValues: rows.lazy.map { ($0.id, $0) }) }
    ),
    result(
      .lookup,
      time(per: ids.count) {
        var sum = 0
        for id in opaque(ids) { sum &+= base[id]?.count ?? 1 }
        use(sum)
      }
    ),
    result(
      .iteration,
      time(per: size) {
        var sum = 0
        for row in opaque(base).values { sum &+= row.count }
        use(sum)
      }
    ),
    result(
      .change,
      time {
        var copy = base
        next = (next + 1) % ids.count
        copy[ids[next]]?.count = next
        use(copy)
      }
    ),
    result(
      .insertion,
      time {
        var copy = base
        copy.updateValue(Row(id: -1, title: ""), forKey: -1, insertingAt: size / 2)
        use(copy)
      }
    ),
    result(.comparison, time { use(base.values.indices.filter { base.values[$0] != changed.values[$0] }) }),
  ]
}

/// The other design: a hash trie of the elements, and their order as a list of identities beside it. The order is an
/// array here, which bounds from below what a persistent one would cost for look-up and iteration.
func trieWithOrder(_ size: Int) -> [Result] {
  let rows = Row.rows(size)
  let base = TreeDictionary(uniqueKeysWithValues: rows.map { ($0.id, $0) })
  let order = rows.map(\.id)
  return [
    Result(
      name: "hash trie, order beside it",
      operation: .iteration,
      size: size,
      value: time(per: size) {
        var sum = 0
        for id in opaque(order) { sum &+= base[id]?.count ?? 1 }
        use(sum)
      }
    )
  ]
}

/// W17: one element of an array was updated and one was moved.
func lists(_ size: Int) -> [Result] {
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
  func result(_ name: String, _ value: Double) -> Result {
    Result(name: name, operation: .list, size: size, value: value)
  }
  return [
    result("ElementChanges", time { use(ElementChanges(from: old, to: new)) }),
    result("by hand with a dictionary", time { use(changesByHand(from: old, to: new)) }),
    result("ElementChanges, all strings anew", time { use(ElementChanges(from: before, to: fresh)) }),
    result("by hand, all strings anew", time { use(changesByHand(from: before, to: fresh)) }),
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
