import Testing

@testable import FlaskCore
@testable import FlaskScopes

/// What a hub knows of one member.
@Suite struct MemberEntryTests {
  private let entry = MemberEntry(OptionalContent<Int>(), found: (member: 1, place: 7))

  /// Applies a commit to the entry.
  private func commit(_ old: Int?, _ new: Int?, number: Int) -> [MemberListener] {
    var told: [MemberNotification] = []
    var ended: [MemberListener] = []
    OptionalContent.change(of: entry, from: old, to: new) {
      entry.apply($0, of: number, adding: &told, ended: &ended)
    }
    return ended
  }

  private func begin(with number: Int) {
    let box = TypedStateBox<Int> { 0 }
    box.number = number
    #expect(entry.begin { box } === box)
  }

  @Test func `what is reported before it has begun is a part of the state that it begins with`() {
    #expect(commit(1, nil, number: 2).isEmpty)
    #expect(entry.isThere)
    _ = commit(1, 2, number: 3)
    #expect(entry.lastMember == 2)
    begin(with: 3)
    _ = commit(1, 5, number: 3)
    #expect(entry.lastMember == 2)
    entry.setFirst((2, 8))
    #expect((entry.lastMember, entry.place) == (2, 8))
  }

  @Test func `what is reported later counts more than what it began with`() {
    begin(with: 3)
    _ = commit(1, 4, number: 4)
    entry.setFirst((2, 8))
    #expect((entry.lastMember, entry.place) == (4, 7))
  }

  @Test func `its last value is kept when it goes, and the ones that heard of its content have heard all`() {
    begin(with: 0)
    entry.add(Listener(isSilent: true, isolation: .none), nil, .content, epoch: 0, ended: nil)
    entry.add(Listener(isSilent: true, isolation: .none), nil, .presence, epoch: 0, ended: nil)
    #expect(commit(1, nil, number: 1).map(\.news) == [.content])
    #expect(!entry.isThere)
    #expect(entry.lastMember == 1)
    #expect(commit(nil, 5, number: 2).isEmpty)
    #expect(entry.isThere)
    #expect(entry.lastMember == 5)
  }
}
