internal import FlaskPrimitives

/// Things on their way to another thread or actor, in order, and whether somebody is on the way to fetch them.
///
/// Whoever puts something in is told whether to send somebody; whoever fetches goes on until there is nothing left.
package final class Mailbox<Element: Sendable>: Sendable {
  private struct State {
    var waiting = FIFOQueue<Element>()
    var isScheduled = false
  }

  private let state = Lock(State())

  package init() {}

  /// Adds an element; true if the caller has to see to it that it is fetched.
  package func post(_ element: Element) -> Bool {
    state.withLock { state in
      state.waiting.append(element)
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
  }

  /// The next element; `nil` if there is none, and the next one posted has somebody sent again.
  package func next() -> Element? {
    state.withLock { state in
      let next = state.waiting.popFirst()
      if next == nil { state.isScheduled = false }
      return next
    }
  }
}
