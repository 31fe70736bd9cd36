import FlaskDiff
import FlaskEntities
import HashTreeCollections
import OrderedCollections

func entities(_ size: Int) -> [Contender] {
  let rows = Row.rows(size)
  let base = Entities(rows)
  let ids = Row.chosen(of: size)
  var next = 0
  let field = Field(name: "Entities", size: size)
  var changed = base
  changed[id: ids[7]]?.count = 99
  return [
    field.contender(.lookup, per: ids.count) {
      var sum = 0
      for id in opaque(ids) { sum &+= base[id: id]?.count ?? 1 }
      use(sum)
    },
    field.contender(.iteration, per: size) {
      var sum = 0
      for row in opaque(base) { sum &+= row.count }
      use(sum)
    },
    field.contender(.change) {
      var copy = base
      next = (next + 1) % ids.count
      copy[id: ids[next]]?.count = next
      use(copy)
    },
    field.contender(.insertion) {
      var copy = base
      copy.insert(Row(id: -1, title: ""), at: size / 2)
      use(copy)
    },
    field.contender(.comparison) { use(ElementChanges(from: opaque(base), to: changed)) },
  ]
}

func array(_ size: Int) -> [Contender] {
  let rows = Row.rows(size)
  let ids = Row.chosen(of: size)
  var next = 0
  let field = Field(name: "Array", size: size)
  var changed = rows
  changed[size / 2].count = 99
  let searched = ids.prefix(size > 100_000 ? 4 : 64)
  return [
    field.contender(.lookup, per: searched.count) {
      var sum = 0
      for id in opaque(searched) { sum &+= rows.first { $0.id == id }?.count ?? 1 }
      use(sum)
    },
    field.contender(.iteration, per: size) {
      var sum = 0
      for row in opaque(rows) { sum &+= row.count }
      use(sum)
    },
    field.contender(.change) {
      var copy = rows
      next = (next + 7919) % size
      copy[next].count = next
      use(copy)
    },
    field.contender(.insertion) {
      var copy = rows
      copy.insert(Row(id: -1, title: ""), at: size / 2)
      use(copy)
    },
    field.contender(.comparison) { use(opaque(rows).indices.filter { rows[$0] != changed[$0] }) },
  ]
}

func dictionary(_ size: Int) -> [Contender] {
  let rows = Row.rows(size)
  let base = Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0) })
  let ids = Row.chosen(of: size)
  var next = 0
  let field = Field(name: "Dictionary", size: size)
  var changed = base
  changed[ids[7]]?.count = 99
  return [
    field.contender(.lookup, per: ids.count) {
      var sum = 0
      for id in opaque(ids) { sum &+= base[id]?.count ?? 1 }
      use(sum)
    },
    field.contender(.iteration, per: size) {
      var sum = 0
      for row in opaque(base).values { sum &+= row.count }
      use(sum)
    },
    field.contender(.change) {
      var copy = base
      next = (next + 1) % ids.count
      copy[ids[next]]?.count = next
      use(copy)
    },
    field.contender(.comparison) { use(base.filter { changed[$0.key] != $0.value }) },
  ]
}

func treeDictionary(_ size: Int) -> [Contender] {
  let rows = Row.rows(size)
  let base = TreeDictionary(uniqueKeysWithValues: rows.map { ($0.id, $0) })
  let ids = Row.chosen(of: size)
  var next = 0
  let field = Field(name: "TreeDictionary", size: size)
  var changed = base
  changed[ids[7]]?.count = 99
  return [
    field.contender(.lookup, per: ids.count) {
      var sum = 0
      for id in opaque(ids) { sum &+= base[id]?.count ?? 1 }
      use(sum)
    },
    field.contender(.iteration, per: size) {
      var sum = 0
      for row in opaque(base).values { sum &+= row.count }
      use(sum)
    },
    field.contender(.change) {
      var copy = base
      next = (next + 1) % ids.count
      copy[ids[next]]?.count = next
      use(copy)
    },
    // It has no comparison that says what differs: this one says whether something does.
    field.contender(.comparison) { use(opaque(base) == changed) },
  ]
}

func orderedDictionary(_ size: Int) -> [Contender] {
  let rows = Row.rows(size)
  let base = OrderedDictionary(uniqueKeysWithValues: rows.map { ($0.id, $0) })
  let ids = Row.chosen(of: size)
  var next = 0
  let field = Field(name: "OrderedDictionary", size: size)
  var changed = base
  changed[ids[7]]?.count = 99
  return [
    field.contender(.lookup, per: ids.count) {
      var sum = 0
      for id in opaque(ids) { sum &+= base[id]?.count ?? 1 }
      use(sum)
    },
    field.contender(.iteration, per: size) {
      var sum = 0
      for row in opaque(base).values { sum &+= row.count }
      use(sum)
    },
    field.contender(.change) {
      var copy = base
      next = (next + 1) % ids.count
      copy[ids[next]]?.count = next
      use(copy)
    },
    field.contender(.insertion) {
      var copy = base
      copy.updateValue(Row(id: -1, title: ""), forKey: -1, insertingAt: size / 2)
      use(copy)
    },
    field.contender(.comparison) {
      use(base.values.indices.filter { base.values[$0] != changed.values[$0] })
    },
  ]
}

/// The other design: a hash trie of the elements, and their order as a list of identities beside it. The order is an
/// array here, which bounds from below what a persistent one would cost for look-up and iteration.
func trieWithOrder(_ size: Int) -> [Contender] {
  let rows = Row.rows(size)
  let base = TreeDictionary(uniqueKeysWithValues: rows.map { ($0.id, $0) })
  let order = rows.map(\.id)
  return [
    Field(name: "hash trie, order beside it", size: size).contender(.iteration, per: size) {
      var sum = 0
      for id in opaque(order) { sum &+= base[id]?.count ?? 1 }
      use(sum)
    }
  ]
}

/// `Entities` that were edited: leaves have room then, and lie in memory as they came about.
func editedEntities(_ size: Int) -> [Contender] {
  let rows = Row.rows(size)
  let ids = Row.chosen(of: size)
  var moved = Entities(rows)
  for id in ids.prefix(max(size / 100, 1)) { moved.move(id: id, to: (id &* 31) % size) }
  var scattered = Entities<Row>()
  for (index, row) in rows.enumerated() { scattered.insert(row, at: row.id &* 7919 % (index + 1)) }
  func contender(_ name: String, _ entities: Entities<Row>) -> Contender {
    Field(name: name, size: size).contender(.iteration, per: size) {
      var sum = 0
      for row in opaque(entities) { sum &+= row.count }
      use(sum)
    }
  }
  return [
    contender("Entities, 1 of 100 moved", moved), contender("Entities, each inserted anywhere", scattered),
  ]
}

/// How much memory each collection keeps.
func memory(_ size: Int) -> [Result] {
  let rows = Row.rows(size)
  let pairs = rows.lazy.map { ($0.id, $0) }
  func result(_ name: String, _ bytes: Double) -> Result {
    Result(name: name, operation: .memory, size: size, rounds: [bytes])
  }
  return [
    result("Entities", bytes(per: size) { Entities(rows) }),
    result("Array", bytes(per: size) { rows.map { $0 } }),
    result("Dictionary", bytes(per: size) { Dictionary(uniqueKeysWithValues: pairs) }),
    result("TreeDictionary", bytes(per: size) { TreeDictionary(uniqueKeysWithValues: pairs) }),
    result("OrderedDictionary", bytes(per: size) { OrderedDictionary(uniqueKeysWithValues: pairs) }),
  ]
}

/// Look-up by identities that are strings, too long to be stored in place.
func named(_ size: Int) -> [Contender] {
  struct Item: Identifiable {
    let id: String
    var count = 0
  }
  let items = Row.identities(size).map { Item(id: "a name of its own: \($0)") }
  let ids = Row.chosen(of: size).map { "a name of its own: \($0)" }
  let entities = Entities(items)
  let pairs = items.lazy.map { ($0.id, $0) }
  let dictionary = Dictionary(uniqueKeysWithValues: pairs)
  let tree = TreeDictionary(uniqueKeysWithValues: pairs)
  let ordered = OrderedDictionary(uniqueKeysWithValues: pairs)
  func contender(_ name: String, _ sum: @escaping () -> Int) -> Contender {
    Field(name: name, size: size).contender(.named, per: ids.count) { use(sum()) }
  }
  return [
    contender("Entities") { opaque(ids).reduce(0) { $0 &+ (entities[id: $1]?.count ?? 1) } },
    contender("Dictionary") { opaque(ids).reduce(0) { $0 &+ (dictionary[$1]?.count ?? 1) } },
    contender("TreeDictionary") { opaque(ids).reduce(0) { $0 &+ (tree[$1]?.count ?? 1) } },
    contender("OrderedDictionary") { opaque(ids).reduce(0) { $0 &+ (ordered[$1]?.count ?? 1) } },
  ]
}
