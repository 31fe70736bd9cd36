import Testing

@testable import FlaskCore

@Suite struct ListenerListTests {
  private func listener() -> FlaskCore.Listener { FlaskCore.Listener(isSilent: true, isolation: .none) }

  private func elements(_ list: borrowing ListenerList) -> [ObjectIdentifier] {
    var all: [ObjectIdentifier] = []
    list.forEach { all.append(ObjectIdentifier($0)) }
    return all
  }

  @Test func `listeners stay in the order in which they were added`() {
    var list = ListenerList()
    let listeners = (0..<100).map { _ in listener() }
    for listener in listeners { list.append(listener) }
    #expect(elements(list) == listeners.map { ObjectIdentifier($0) })
  }

  @Test func `removing closes the gap, and replacing keeps the place`() {
    var list = ListenerList()
    let listeners = (0..<6).map { _ in listener() }
    for listener in listeners { list.append(listener) }
    for index in [0, 3, 5] { list.replace(listeners[index], with: nil) }
    #expect(elements(list) == [1, 2, 4].map { ObjectIdentifier(listeners[$0]) })
    list.replace(listeners[2], with: listeners[0])
    list.replace(listeners[2], with: listeners[5])
    list.replace(listeners[2], with: nil)
    #expect(elements(list) == [1, 0, 4].map { ObjectIdentifier(listeners[$0]) })
    list.append(listeners[5])
    #expect(elements(list) == [1, 0, 4, 5].map { ObjectIdentifier(listeners[$0]) })
  }

  @Test func `empty places are closed when they are the most`() {
    var list = ListenerList()
    let listeners = (0..<100).map { _ in listener() }
    for listener in listeners { list.append(listener) }
    for index in 0..<50 { list.replace(listeners[index * 2], with: nil) }
    #expect(listeners[99].place == 99)
    list.replace(listeners[1], with: nil)
    #expect(listeners[99].place == 48)
    #expect(elements(list) == (1..<50).map { ObjectIdentifier(listeners[$0 * 2 + 1]) })
    for index in 1..<50 { list.replace(listeners[index * 2 + 1], with: nil) }
    #expect(elements(list) == [])
  }

  @Test func `a list holds its listeners, and releases them`() {
    weak var removed: FlaskCore.Listener?
    weak var replaced: FlaskCore.Listener?
    weak var kept: FlaskCore.Listener?
    do {
      var list = ListenerList()
      do {
        let (first, second, third, fourth) = (listener(), listener(), listener(), listener())
        for listener in [first, second, third] { list.append(listener) }
        list.replace(second, with: fourth)
        (removed, replaced, kept) = (first, second, fourth)
      }
      #expect(removed != nil && replaced == nil && kept != nil)
      if let removed { list.replace(removed, with: nil) }
      #expect(removed == nil && kept != nil)
      #expect(list.removeAll().count == 2)
      #expect(elements(list) == [] && kept == nil)
      list.append(listener())
      list.forEach { kept = $0 }
      #expect(kept != nil)
    }
    #expect(kept == nil)
  }
}
