@testable import FlaskPrimitives
@testable import FlaskArchive

/// Keeps what it is handed, from any thread.
final class Recorder<Element: Sendable>: Sendable {
  private let recorded = Lock<[Element]>([])

  var all: [Element] { recorded.withLock { $0 } }

  func record(_ element: Element) {
    recorded.withLock { $0.append(element) }
  }
}
