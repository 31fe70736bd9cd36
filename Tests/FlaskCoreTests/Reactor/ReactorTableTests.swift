import Testing

@testable import FlaskCore
@testable import KernelFixtures

@Suite(.ownFlux) struct ReactorTableTests {
  private func reactor(of owner: Owner) -> Reactor<Owner> {
    Reactor(owner: owner, members: ReactorMembers([]), isolation: nil)
  }

  @Test func `reactors are found by owner, oldest first`() {
    var table = ReactorTable()
    let owners = [Owner(), Owner()]
    let reactors = [reactor(of: owners[0]), reactor(of: owners[1]), reactor(of: owners[0])]
    for reactor in reactors { _ = table.add(reactor) }
    #expect(table.reactors(of: ObjectIdentifier(owners[0])).map { $0 === reactors[0] } == [true, false])
    #expect(table.reactors(of: ObjectIdentifier(owners[1])).count == 1)
    #expect(table.all.count == 3)
  }

  @Test func `removing keeps the others findable`() {
    var table = ReactorTable()
    let owners = (0..<10).map { _ in Owner() }
    let reactors = owners.map { reactor(of: $0) }
    for reactor in reactors { _ = table.add(reactor) }
    for index in [0, 9, 4] { table.remove(reactors[index]) }
    table.remove(reactors[4])
    for (index, owner) in owners.enumerated() {
      #expect(table.reactors(of: ObjectIdentifier(owner)).count == ([0, 9, 4].contains(index) ? 0 : 1))
    }
    #expect(table.all.count == 7)
  }

  @Test func `the attached one is found, until it goes, whichever others go`() {
    final class Screen: FlaskReactor, Sendable { func flaskReactions(reaction: FlaskReaction) {} }
    let (owner, counter) = (Screen(), Substance(0))
    let attached = Flask.attachReactor(to: owner, mixing: [counter])
    let (first, last) = (
      Flask.reactor(attachedTo: owner, mixing: counter), Flask.reactor(attachedTo: owner, mixing: counter)
    )
    #expect(ReactorManager.reactor(of: owner) === attached)
    ReactorManager.release([first])
    #expect(ReactorManager.reactor(of: owner) === attached)
    ReactorManager.release([attached])
    #expect(ReactorManager.reactor(of: owner) === last)
    ReactorManager.release([last])
    #expect(ReactorManager.reactor(of: owner) == nil)
  }

  @Test func `every owner has its turn`() {
    var table = ReactorTable()
    #expect(table.next() == nil)
    let owners = (0..<5).map { _ in Owner() }
    for owner in owners { _ = table.add(reactor(of: owner)) }
    let seen = (0..<5).compactMap { _ in table.next() }.map(\.ownerIdentifier)
    #expect(Set(seen) == Set(owners.map { ObjectIdentifier($0) }))
  }
}
