import FlaskDiff
import Foundation
import Testing

@testable import FlaskEntities

/// Identities that change behind a collection, or are not equal to themselves: elements may not be found any more, and
/// nothing else happens. The collection stays whole, and no memory is read that holds no element.
@Suite struct UnstableIdentityTests {
  private final class Person: Identifiable {
    var id: String
    init(_ id: String) { self.id = id }
  }

  @Test func `An element whose identity was changed is removed, and its old identity leads nowhere`() {
    let person = Person("Ada")
    var people: Entities<Person> = [person, Person("Grace")]
    person.id = "Augusta"
    #expect(people.remove(at: 0) === person)
    #expect(people.count == 1 && people.isWhole)
    #expect(!people.contains(id: "Ada") && !people.contains(id: "Augusta"))
    #expect(people.index(id: "Grace") == 0)
    people.append(Person("Edith"))
    #expect(!people.contains(id: "Ada") && people.map(\.id) == ["Grace", "Edith"])
  }

  @Test func `Elements whose identities were changed get other numbers, and leave with their leaf`() {
    let crowd = (0..<96).map { Person("\($0)") }
    var people = Entities(crowd)
    let copy = people
    for person in crowd { person.id = "changed \(person.id)" }
    // Leaves are split, joined and removed.
    for offset in 0..<40 { people.insert(Person("new \(offset)"), at: offset * 2) }
    #expect(people.isWhole)
    while people.count > 3 {
      people.remove(at: people.count / 2)
      #expect(people.isWhole)
    }
    #expect((0..<96).allSatisfy { !people.contains(id: "\($0)") })
    #expect(copy.isWhole && copy.elementsEqual(crowd, by: ===))
  }

  @Test func `An element that is exchanged for another is not found by its old identity`() {
    let person = Person("Ada")
    var people: Entities<Person> = [person, Person("Grace")]
    person.id = "Augusta"
    people[0] = Person("Edith")
    people[id: "Edith"] = Person("Emmy")
    #expect(people.isWhole && people.map(\.id) == ["Emmy", "Grace"])
    #expect(people.index(id: "Emmy") == 0 && !people.contains(id: "Ada"))
  }

  @Test func `Changes between collections in which an identity occurs twice can be applied`() {
    let (a, b, c) = (Person("a"), Person("b"), Person("c"))
    var old: Entities<Person> = [a, b, c]
    var new = Entities([c, Person("d"), b, a])
    a.id = "c"
    b.id = "c"
    for (before, after) in [(old, new), (new, old)] {
      let changes = ElementChanges(from: before, to: after)
      #expect(changes.applied(to: before).map { $0.elementsEqual(after, by: ===) } == true)
    }
    old.reverse()
    new.sort { $0.id < $1.id }
    #expect(old.isWhole && new.isWhole)
  }

  // Each operation is a round; `FLASK_FULL=1` performs a million of them.
  private static let rounds =
    ProcessInfo.processInfo.environment["FLASK_FULL"] == "1" ? 200_000 : 4_000

  @Test func `Random changes of objects whose identities change`() {
    UnstableProgram<NamedObject>(seed: 1).run(rounds: Self.rounds)
  }

  @Test func `Random changes of elements whose identities change their hashes`() {
    UnstableProgram<RehashedRow>(seed: 2).run(rounds: Self.rounds)
  }

  @Test func `Random changes of elements whose identities are those of inner objects`() {
    UnstableProgram<WrappingRow>(seed: 3).run(rounds: Self.rounds)
  }

  @Test func `Random changes of elements some of whose identities are not equal to themselves`() {
    UnstableProgram<MeasuredRow>(seed: 4).run(rounds: Self.rounds)
  }

  @Test func `Random changes of elements whose identities happen to be equal`() {
    UnstableProgram<MoodyRow>(seed: 5).run(rounds: Self.rounds)
  }
}

extension Entities {
  /// Whether each element has one entry in the index, and each entry an element, and all that count agree.
  var isWhole: Bool {
    var numbers: [Int] = []
    for page in 0..<index.pageCount {
      Unmanaged<IndexPage>.fromOpaque(index.pages[page])._withUnsafeGuaranteedRef { page in
        page.forEach { numbers.append(Int(UInt32(truncatingIfNeeded: $0)) - 1) }
      }
    }
    let expected = (0..<count).map { tree.number(at: $0) }
    return numbers.sorted() == expected.sorted() && index.count == count
      && reduce(0) { count, _ in count + 1 } == count
  }
}
