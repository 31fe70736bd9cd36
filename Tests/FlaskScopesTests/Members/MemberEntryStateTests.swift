import Testing

@testable import FlaskCore
@testable import FlaskScopes

/// What a container observer knows of one member, without threads and without values.
struct MemberEntryStateTests {
  private var state = MemberEntryState()

  private func listener(of news: MemberEvent) -> MemberListener {
    MemberListener(Listener(isolation: .none), nil, news, epoch: 0, ended: nil)
  }

  private struct Answer: Equatable {
    var isStored: Bool
    var notified: [MemberEvent] = []
    var ended: [MemberEvent] = []
  }

  private mutating func commit(_ number: Int, isThere: Bool = true, isFlip: Bool = false) -> Answer {
    var notified: [MemberEvent] = []
    var ended: [MemberListener] = []
    let isStored = state.committed(
      number,
      isThere: isThere,
      isFlip: isFlip,
      notifying: { notified.append($0.news) },
      ended: &ended
    )
    return Answer(isStored: isStored, notified: notified, ended: ended.map(\.news))
  }

  private mutating func addAll() {
    for news in [MemberEvent.content, .presence, .everything] { state.add(listener(of: news)) }
  }

  @Test mutating func `before it has begun, a commit leaves its value alone`() {
    addAll()
    let answer = commit(1, isThere: false, isFlip: true)
    #expect(answer == Answer(isStored: true))
    #expect(state.isThere && state.last == 1)
  }

  @Test mutating func `commits that the first value contains are ignored, before and after it is set`() {
    addAll()
    state.begin(at: 3)
    let before = commit(2)
    let isSet = state.setFirst(isThere: true)
    let after = commit(3, isThere: false, isFlip: true)
    #expect(isSet && [before, after] == [Answer(isStored: false), Answer(isStored: false)])
    #expect(state.isThere && state.last == 0)
  }

  @Test mutating func `a later commit counts more than the first value`() {
    state.begin(at: 3)
    _ = commit(4, isThere: false, isFlip: true)
    let isSet = state.setFirst(isThere: true)
    #expect(!isSet && !state.isThere && state.last == 1)
  }

  @Test mutating func `a member may be gone in its first state`() {
    state.begin(at: 3)
    let isSet = state.setFirst(isThere: false)
    #expect(isSet && !state.isThere)
  }

  @Test mutating func `a change, a removal and an insertion notify the listeners of such news`() {
    addAll()
    state.begin(at: 0)
    let change = commit(1)
    let removal = commit(2, isThere: false, isFlip: true)
    let insertion = commit(3, isFlip: true)
    #expect(change == Answer(isStored: true, notified: [.content, .everything]))
    #expect(removal == Answer(isStored: true, notified: [.presence, .everything], ended: [.content]))
    #expect(insertion == Answer(isStored: true, notified: [.presence, .everything]))
    #expect(state.isThere && state.last == 1)
  }

  @Test mutating func `a removed listener hears nothing`() {
    let one = listener(of: .everything)
    state.add(one)
    state.begin(at: 0)
    let removed = state.remove(one.listener)
    let again = state.remove(one.listener)
    let answer = commit(1)
    #expect(removed === one && again == nil && answer == Answer(isStored: true))
  }
}
