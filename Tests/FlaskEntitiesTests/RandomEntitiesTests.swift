import FlaskDiff
import FlaskEntities
import Foundation
import Testing
import TestSupport

@Suite struct RandomEntitiesTests {
  /// All with the same hash.
  struct CollidingID: Hashable {
    let number: Int
    func hash(into hasher: inout Hasher) {}
  }
  struct CollidingRow: Identifiable, Equatable {
    let id: CollidingID
    let title: String
  }
  final class Thing: Equatable {
    let number: Int
    init(_ number: Int) { self.number = number }
    static func == (a: Thing, b: Thing) -> Bool { a.number == b.number }
  }
  struct RichRow: Identifiable, Equatable {
    let id: String
    let content: Int
    let thing: Thing
    let wide: SIMD8<Float>
  }

  static var isFull: Bool { ProcessInfo.processInfo.environment["FLASK_PROOFS"] == "1" }

  /// Performs random changes, holds copies of random moments, and compares with the model.
  private func check<Element: Identifiable & Equatable>(
    seed: UInt64,
    operations: Int,
    span: Int,
    make: (Int, Int) -> Element,
    order: (Element, Element) -> Bool
  ) {
    var numbers = SeededGenerator(seed: seed)
    var entities = Entities<Element>()
    var model = EntitiesModel<Element>()
    var held: [(entities: Entities<Element>, elements: [Element])] = []
    for step in 0..<operations {
      let edit = EntitiesEdit.mixture.randomElement(using: &numbers) ?? .append
      let agrees = edit.perform(
        on: &entities,
        and: &model,
        span: span,
        numbers: &numbers,
        make: make,
        order: order
      )
      let id = make(.random(in: 0..<span, using: &numbers), 0).id
      let index = model.index(id: id)
      guard agrees, entities.count == model.elements.count, entities.index(id: id) == index,
        entities[id: id] == index.map({ model.elements[$0] }), entities.contains(id: id) == (index != nil),
        index.map({ entities[$0] == model.elements[$0] }) ?? true
      else {
        Issue.record("seed \(seed), step \(step), \(edit)")
        return
      }
      // All is looked at now and then, and the more often the smaller it is.
      if step % (model.elements.count + 1) == 0, !entities.elementsEqual(model.elements) {
        Issue.record("seed \(seed), step \(step), \(edit)")
        return
      }
      if step % 97 == 0 {
        held.append((entities, model.elements))
        if held.count > 16 {
          let (old, elements) = held.remove(at: .random(in: 0..<held.count, using: &numbers))
          guard old.elementsEqual(elements), elements.allSatisfy({ old[id: $0.id] == $0 }) else {
            Issue.record("seed \(seed), step \(step): a copy has changed")
            return
          }
          // Now and then it goes on from an old copy.
          if Int.random(in: 0..<8, using: &numbers) == 0 {
            entities = old
            model.elements = elements
          }
        }
      }
    }
    for (old, elements) in held {
      #expect(old.elementsEqual(elements), "seed \(seed)")
    }
  }

  @Test(arguments: [(1, 6), (2, 40), (3, 300), (4, 2000)])
  func `Random changes do what they do to an array`(seed: UInt64, span: Int) {
    check(
      seed: seed,
      operations: Self.isFull ? 2_500_000 : 12_000,
      span: span,
      make: { ListRow(id: $0, title: "\($1)") },
      order: { $0.id < $1.id }
    )
  }

  @Test func `Random changes do so with all kinds of properties`() {
    check(
      seed: 5,
      operations: Self.isFull ? 300_000 : 4_000,
      span: 200,
      make: {
        RichRow(id: "identity number \($0)", content: $1, thing: Thing($1), wide: .init(repeating: 2))
      },
      order: { $0.id < $1.id }
    )
  }

  @Test func `Random changes do so if all identities have one hash`() {
    check(
      seed: 6,
      operations: Self.isFull ? 100_000 : 4_000,
      span: 300,
      make: { CollidingRow(id: CollidingID(number: $0), title: "\($1)") },
      order: { $0.id.number < $1.id.number }
    )
  }
}
