import FlaskDiff
import FlaskEntities
import Testing
import TestSupport

@Suite struct EntitiesChangesTests {
  @Test func `Changes of entities are those of the arrays of their elements`() {
    var numbers = SeededGenerator(seed: 17)
    for round in 0..<150 {
      let span = [8, 60, 400, 3000][round % 4]
      var entities = Entities((0..<span).map { ListRow(id: $0) })
      var model = EntitiesModel(elements: Array(entities))
      for _ in 0..<Int.random(in: 0...40, using: &numbers) { edit(&entities, &model, span, &numbers) }
      let old = entities
      for _ in 0..<Int.random(in: 0...12, using: &numbers) { edit(&entities, &model, span, &numbers) }
      let changes = ElementChanges(from: old, to: entities)
      let expected = ElementChanges(from: Array(old), to: Array(entities))
      guard changes.applied(to: old) == Array(entities), changes.insertions == expected.insertions,
        changes.removals == expected.removals, changes.updates == expected.updates,
        changes.moves.count == expected.moves.count, StateDiff.areEqual(old, entities) == changes.isEmpty,
        (old == entities) == changes.isEmpty
      else {
        Issue.record("seed 17, round \(round): \(changes) instead of \(expected)")
        return
      }
    }
  }

  private func edit(
    _ entities: inout Entities<ListRow>,
    _ model: inout EntitiesModel<ListRow>,
    _ span: Int,
    _ numbers: inout SeededGenerator
  ) {
    let edit = EntitiesEdit.mixture.randomElement(using: &numbers) ?? .append
    _ = edit.perform(
      on: &entities,
      and: &model,
      span: span,
      numbers: &numbers,
      make: { ListRow(id: $0, title: "\($1)") },
      order: { $0.id < $1.id }
    )
  }

  /// As many as a leaf has go and come back at the end, where they get the leaf that was freed.
  @Test func `What goes and comes back elsewhere has moved`() {
    let old = Entities((0..<96).map { ListRow(id: $0) })
    var new = old
    let gone = (0..<32).compactMap { new.remove(id: $0) }
    new.append(contentsOf: gone)
    let changes = ElementChanges(from: old, to: new)
    #expect(changes.moves.map(\.element.id) == Array(0..<32))
    #expect(changes.insertions.isEmpty && changes.removals.isEmpty && changes.updates.isEmpty)
    #expect(changes.applied(to: old) == Array(new))
  }

  @Test func `Entities that have nothing to do with each other are distinguished, too`() {
    let old = Entities((0..<100).map { ListRow(id: $0) })
    let new = Entities((50..<150).reversed().map { ListRow(id: $0) })
    let changes = ElementChanges(from: old, to: new)
    #expect(changes.applied(to: old) == Array(new))
    #expect(changes.moves.count == 49)
  }

  /// Every sequence of three operations over four elements, with every place; with those that a proof performs, of six
  /// operations with some places.
  @Test func `Every short sequence of operations does what it does to an array`() {
    let depth = RandomEntitiesTests.isFull ? 6 : 4
    let start: [ListRow] = [ListRow(id: 0), ListRow(id: 1)]
    var checked = 0
    func visit(_ entities: Entities<ListRow>, _ elements: [ListRow], _ rest: Int, _ origin: Entities<ListRow>)
    {
      checked += 1
      guard entities.elementsEqual(elements), entities.count == elements.count,
        (0..<4).allSatisfy({ id in entities.index(id: id) == elements.firstIndex { $0.id == id } }),
        ElementChanges(from: origin, to: entities).applied(to: origin) == elements
      else {
        Issue.record("\(Array(entities)) instead of \(elements)")
        return
      }
      if rest == 0 { return }
      for operation in 0..<12 {
        var next = entities
        var model = EntitiesModel(elements: elements)
        let id = operation % 4
        switch operation / 4 {
        case 0:
          next.insert(ListRow(id: id, title: "\(rest)"), at: min(1, next.count))
          model.insert(ListRow(id: id, title: "\(rest)"), at: min(1, elements.count))
        case 1:
          next[id: id] = nil
          model.elements.removeAll { $0.id == id }
        default:
          next.move(id: id, to: rest % 4)
          model.move(id: id, to: rest % 4)
        }
        visit(next, model.elements, rest - 1, origin)
      }
    }
    visit(Entities(start), start, depth, Entities(start))
    #expect(checked == (depth == 6 ? 3_257_437 : 22_621))
  }
}
