import FlaskDiff
import FlaskEntities
import Testing
import TestSupport

/// Changes a collection at random, and the identities of what is in it, and looks whether it stays whole.
final class UnstableProgram<Element: UnstableElement> {
  private typealias Held = (entities: Entities<Element>, tags: [Int])

  private let seed: UInt64
  private var numbers: SeededGenerator
  private let counter = Tag.Counter()
  private var made = 0
  private var entities: Entities<Element> = []
  private var held: [Held] = []
  /// It grows up to so many elements, then shrinks.
  private var limit = 30

  init(seed: UInt64) {
    self.seed = seed
    numbers = SeededGenerator(seed: seed)
  }

  func run(rounds: Int) {
    for round in 0..<rounds {
      perform()
      // All is looked at now and then, and the more often the smaller it is.
      let isDue = round % max(16, entities.count) == 0
      if isDue, let fault = entities.isWhole ? look() : "not whole" {
        Issue.record("seed \(seed), round \(round): \(fault)")
        return
      }
    }
    #expect(counter.alive > 0)
    entities = []
    held = []
    #expect(counter.alive == 0)
  }

  private func random(_ bound: Int) -> Int { .random(in: 0..<bound, using: &numbers) }
  private func offset() -> Int { random(max(1, entities.count)) }
  private func id() -> Element.ID { Element.id(random(span)) }
  private var span: Int { 400 }

  private func element() -> Element {
    made += 1
    return .make(random(span), Tag(made, counter))
  }

  /// What may be wrong with the copies, with look-ups and with differences.
  private func look() -> String? {
    let tags = entities.map(\.tag.number)
    if (0..<tags.count).contains(where: { entities[$0].tag.number != tags[$0] }) { return "by offset" }
    for _ in 0..<8 {
      let id = id()
      if let offset = entities.index(id: id), offset >= entities.count { return "by identity" }
      if let number = entities[id: id]?.tag.number, !tags.contains(number) { return "a lost element" }
    }
    for (old, oldTags) in held {
      if !old.isWhole || old.map(\.tag.number) != oldTags { return "a copy has changed" }
      guard let applied = ElementChanges(from: old, to: entities).applied(to: old) else {
        return "differences"
      }
      if applied.map(\.tag.number) != tags { return "differences lead elsewhere" }
      withUnsafePointer(to: old) { old in
        withUnsafePointer(to: entities) { new in
          Entities.forEachDifference(from: old, to: new) {
            _ = ($0?.pointee.tag.number, $1?.pointee.tag.number)
          }
        }
      }
    }
    return nil
  }

  private func perform() {
    if !entities.isEmpty, random(3) == 0 { entities[offset()].disturb(random(span)) }
    if entities.count > limit {
      entities.removeSubrange(random(8)..<entities.count - random(8))
      limit = [30, 100, 100, 300, 1200][random(5)]
    }
    switch random(26) {
    case 0, 1: entities.append(element())
    case 2, 3, 4: entities.insert(element(), at: random(entities.count + 1))
    case 5: entities[id: id()] = element()
    case 6: entities.update(id: id()) { $0 = element() }
    case 7: entities.update(id: id()) { $0.disturb(random(span)) }
    case 8: if !entities.isEmpty { entities[offset()] = element() }
    case 9: if !entities.isEmpty { entities[offset()].disturb(random(span)) }
    case 10: entities[id: id()] = nil
    case 11: entities.remove(id: id())
    case 12, 13: if !entities.isEmpty { entities.remove(at: offset()) }
    case 14: _ = random(2) == 0 ? entities.popFirst() : entities.popLast()
    case 15: entities.move(id: id(), to: random(span))
    case 16: entities.move(fromOffsets: (0..<3).map { _ in random(span) }, toOffset: offset())
    case 17: if !entities.isEmpty { entities.swapAt(offset(), offset()) }
    case 18:
      entities.append(contentsOf: (0..<6).map { _ in element() }, uniquing: { random(2) == 0 ? $0 : $1 })
    case 19: entities.insert(contentsOf: (0..<6).map { _ in element() }, at: random(entities.count + 1))
    case 20:
      let start = offset()
      entities.replaceSubrange(start..<min(entities.count, start + 3), with: [element(), element()])
    case 21: held.append((entities, entities.map(\.tag.number)))
    case 22:
      if held.count > 4 { held.remove(at: random(held.count)) }
      if held.count > 2, random(8) == 0 { entities = held[random(held.count)].entities }
    default: performRarely()
    }
  }

  /// What touches all elements.
  private func performRarely() {
    switch random(40) {
    case 0: entities.reverse()
    case 1: entities.shuffle(using: &numbers)
    case 2: entities.sort { $0.tag.number < $1.tag.number }
    case 3: entities.removeAll { _ in random(8) == 0 }
    case 4: if random(8) == 0 { entities.removeAll { _ in random(8) > 0 } }
    case 5: entities = Entities(Array(entities))
    case 6: entities.removeSubrange(0..<entities.count / 4)
    default: break
    }
  }
}
