import FlaskPrimitives
import Foundation

/// What was said, in the order in which it was said, from any thread.
///
/// `@unchecked Sendable`: `elements` is touched under `lock` only.
final class Recorder<Element: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var elements: [Element] = []

  var all: [Element] { lock.withLock { elements } }
  var count: Int { lock.withLock { elements.count } }

  func append(_ element: Element) { lock.withLock { elements.append(element) } }

  func take() -> [Element] {
    lock.withLock {
      let taken = elements
      elements = []
      return taken
    }
  }
}
