import Testing

@testable import FlaskCore

@Suite struct ListenerListTests {
  private func listener() -> FlaskCore.Listener { FlaskCore.Listener(isSilent: true, isolation: .none) }

  private func elements(_ list: borrowing ListenerList, before epoch: Int = 9) -> [ObjectIdentifier] {
    var all: [ObjectIdentifier] = []
    list.forEach(before: epoch) { if $0 !== ListenerList.tombstone { all.append(ObjectIdentifier($0)) } }
    return all
  }

  private func append(_ listener: FlaskCore.Listener, epoch: Int = 0, to list: borrowing ListenerList) {
    list.append(listener, epoch: epoch)?.deallocate()
  }

  @Test func `listeners stay in the order in which they were added`() {
    let list = ListenerList()
    let listeners = (0..<100).map { _ in listener() }
    for listener in listeners { append(listener, to: list) }
    let count = list.count
    #expect(count == 100)
    #expect(elements(list) == listeners.map { ObjectIdentifier($0) })
  }

  @Test func `those added in an epoch are passed over in it`() {
    let list = ListenerList()
    let listeners = (0..<6).map { _ in listener() }
    for (index, listener) in listeners.enumerated() { append(listener, epoch: index / 2, to: list) }
    #expect(elements(list, before: 0) == [])
    #expect(elements(list, before: 1) == [0, 1].map { ObjectIdentifier(listeners[$0]) })
    #expect(elements(list, before: 2) == [0, 1, 2, 3].map { ObjectIdentifier(listeners[$0]) })
  }

  @Test func `removing closes the gap, and replacing keeps the place`() {
    let list = ListenerList()
    let listeners = (0..<6).map { _ in listener() }
    for listener in listeners { append(listener, to: list) }
    for index in [0, 3, 5] { list.remove(listeners[index])?.release() }
    #expect(elements(list) == [1, 2, 4].map { ObjectIdentifier(listeners[$0]) })
    let replaced = list.replace(listeners[2], with: listeners[0])?.takeOwned()
    #expect(replaced === listeners[2])
    let missing = list.replace(listeners[2], with: listeners[5])
    #expect(missing == nil)
    let gone = list.remove(listeners[2])
    #expect(gone == nil)
    list.compactIfSparse()
    #expect(elements(list) == [1, 0, 4].map { ObjectIdentifier(listeners[$0]) })
    append(listeners[5], to: list)
    #expect(elements(list) == [1, 0, 4, 5].map { ObjectIdentifier(listeners[$0]) })
  }

  @Test func `empty places are closed when they are the most`() {
    let list = ListenerList()
    let listeners = (0..<100).map { _ in listener() }
    for listener in listeners { append(listener, to: list) }
    for index in 0..<50 { list.remove(listeners[index * 2])?.release() }
    list.compactIfSparse()
    let before = list.count
    #expect(before == 100)
    list.remove(listeners[1])?.release()
    list.compactIfSparse()
    let after = list.count
    #expect(after == 49)
    #expect(elements(list) == (1..<50).map { ObjectIdentifier(listeners[$0 * 2 + 1]) })
    for index in 1..<50 { list.remove(listeners[index * 2 + 1])?.release() }
    list.compactIfSparse()
    #expect(elements(list) == [])
  }

  @Test func `a list holds its listeners, and lets go of them`() {
    weak var removed: FlaskCore.Listener?
    weak var kept: FlaskCore.Listener?
    do {
      let list = ListenerList()
      do {
        let (first, second) = (listener(), listener())
        append(first, to: list)
        append(second, to: list)
        (removed, kept) = (first, second)
      }
      #expect(removed != nil && kept != nil)
      if let removed { list.remove(removed)?.release() }
      #expect(removed == nil && kept != nil)
    }
    #expect(kept == nil)
  }
}
