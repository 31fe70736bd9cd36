import FlaskPrimitives

/// What an observer was told, in order. Any thread adds.
final class Told<Element: Sendable>: Sendable {
  private let list = Lock<[Element]>([])

  var all: [Element] { list.withLock { $0 } }

  /// What was told since the last call.
  func take() -> [Element] {
    list.withLock { list in
      defer { list = [] }
      return list
    }
  }

  func add(_ element: Element) { list.withLock { $0.append(element) } }
}
