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
