import Testing

@testable import FlaskCore

/// What a hub knows of one member.
@Suite struct MemberEntryTests {
  private let entry = MemberEntry(OptionalContent<Int>(), number: 1, found: (member: 1, place: 7))

  @Test func `what is found again counts until a commit has been told`() {
    entry.setFirst((2, 7))
    #expect(entry.lastMember == 2)
    _ = entry.move(from: (2, 7), to: (3, 7), isChanged: true)
    entry.setFirst((2, 7))
    #expect(entry.lastMember == 3)
  }

  @Test func `nor does it count after a commit of entities`() {
    var told = MemberTellings()
    withUnsafePointer(to: 2) { old in
      withUnsafePointer(to: 3) { entry.change(from: old, to: $0, telling: &told) }
    }
    entry.setFirst((2, 0))
    #expect(entry.lastMember == 3)
    #expect(told.first == nil)
  }

  @Test func `it is known to be gone when a commit has said so`() {
    #expect(!entry.isKnownToBeGone)
    _ = entry.move(from: (1, 7), to: nil, isChanged: false)
    #expect(entry.isKnownToBeGone)
    #expect(entry.lastMember == 1)
    entry.follow(to: 4)
    #expect(!entry.isKnownToBeGone)
    #expect((entry.hint.last, entry.hint.earlier) == (4, 7))
  }
}
