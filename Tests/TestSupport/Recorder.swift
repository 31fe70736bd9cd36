import Foundation

/// What was said, in the order in which it was said, from any thread.
///
/// `@unchecked Sendable`: `elements` is touched under `lock` only.
package final class Recorder<Element: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var elements: [Element] = []

  package init() {}

  package var all: [Element] { lock.withLock { elements } }
  package var count: Int { lock.withLock { elements.count } }

  package func append(_ element: Element) { lock.withLock { elements.append(element) } }

  package func take() -> [Element] {
    lock.withLock {
      let taken = elements
      elements = []
      return taken
    }
  }
}
