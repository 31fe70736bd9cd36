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

  private func elements(_ list: borrowing ListenerList, before round: Int = 9) -> [ObjectIdentifier] {
    var all: [ObjectIdentifier] = []
    list.forEach(before: round) { all.append(ObjectIdentifier($0)) }
    return all
  }

  private func append(_ listener: ReactionListener, round: Int = 0, to list: borrowing ListenerList) {
    list.append(listener, round: round)?.deallocate()
  }

  @Test func `listeners stay in the order in which they were added`() {
    let list = ListenerList()
    let listeners = (0..<100).map { _ in listener() }
    for listener in listeners { append(listener, to: list) }
    let count = list.count
    #expect(count == 100)
    #expect(elements(list) == listeners.map { ObjectIdentifier($0) })
  }

  @Test func `those added in a round are passed over in it`() {
    let list = ListenerList()
    let listeners = (0..<6).map { _ in listener() }
    for (index, listener) in listeners.enumerated() { append(listener, round: index / 2, to: list) }
    #expect(elements(list, before: 0) == [])
    #expect(elements(list, before: 1) == [0, 1].map { ObjectIdentifier(listeners[$0]) })
    #expect(elements(list, before: 2) == [0, 1, 2, 3].map { ObjectIdentifier(listeners[$0]) })
  }

  @Test func `removing closes the gap, and replacing keeps the place`() {
    let list = ListenerList()
    let listeners = (0..<6).map { _ in listener() }
    for listener in listeners { append(listener, to: list) }
    for index in [0, 3, 5] { list.remove(listeners[index]) }
    #expect(elements(list) == [1, 2, 4].map { ObjectIdentifier(listeners[$0]) })
    let replaced = list.replace(listeners[2], with: listeners[0])?.takeRetainedValue()
    #expect(replaced === listeners[2])
    let missing = list.replace(listeners[2], with: listeners[5])
    #expect(missing == nil)
    list.remove(listeners[2])
    #expect(elements(list) == [1, 0, 4].map { ObjectIdentifier(listeners[$0]) })
    append(listeners[5], to: list)
    #expect(elements(list) == [1, 0, 4, 5].map { ObjectIdentifier(listeners[$0]) })
  }

  @Test func `a list holds its listeners, and lets go of them`() {
    weak var removed: ReactionListener?
    weak var kept: ReactionListener?
    do {
      let list = ListenerList()
      do {
        let (first, second) = (listener(), listener())
        append(first, to: list)
        append(second, to: list)
        (removed, kept) = (first, second)
      }
      #expect(removed != nil && kept != nil)
      if let removed { list.remove(removed) }
      #expect(removed == nil && kept != nil)
    }
    #expect(kept == nil)
  }
}
