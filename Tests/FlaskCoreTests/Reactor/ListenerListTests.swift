import Testing

@testable import FlaskCore

@Suite struct ListenerListTests {
  private func listener() -> ReactionListener {
    ReactionListener(
      of: nil,
      members: ReactorMembers([]),
      mailbox: ReactionMailbox(),
      isolation: nil,
      isIsolated: false,
      handler: .none
    )
  }

  private func elements(_ list: borrowing ListenerList) -> [ObjectIdentifier] {
    var all: [ObjectIdentifier] = []
    list.forEach { all.append(ObjectIdentifier($0)) }
    return all
  }

  @Test func `listeners stay in the order in which they were added`() {
    var list = ListenerList()
    let isEmpty = list.isEmpty
    #expect(isEmpty)
    let listeners = (0..<100).map { _ in listener() }
    for listener in listeners { list.append(listener) }
    #expect(elements(list) == listeners.map { ObjectIdentifier($0) })
  }

  @Test func `removing closes the gap, and replacing keeps the place`() {
    var list = ListenerList()
    let listeners = (0..<6).map { _ in listener() }
    for listener in listeners { list.append(listener) }
    list.removeAll { $0 === listeners[0] || $0 === listeners[3] || $0 === listeners[5] }
    #expect(elements(list) == [1, 2, 4].map { ObjectIdentifier(listeners[$0]) })
    let isReplaced = list.replaceFirst(with: listeners[0]) { $0 === listeners[2] }
    #expect(isReplaced)
    let isReplacedAgain = list.replaceFirst(with: listeners[5]) { $0 === listeners[2] }
    #expect(!isReplacedAgain)
    #expect(elements(list) == [1, 0, 4].map { ObjectIdentifier(listeners[$0]) })
    list.append(listeners[5])
    #expect(elements(list) == [1, 0, 4, 5].map { ObjectIdentifier(listeners[$0]) })
  }

  @Test func `a copy goes its own way, and both let go of what they hold`() {
    weak var kept: ReactionListener?
    do {
      var list = ListenerList()
      list.append(listener())
      var copy = list.copy()
      list.forEach { kept = $0 }
      list.removeAll { _ in true }
      let isEmpty = list.isEmpty
      #expect(isEmpty)
      #expect(elements(copy).count == 1)
      #expect(kept != nil)
      copy.append(listener())
      #expect(elements(copy).count == 2)
    }
    #expect(kept == nil)
  }
}
