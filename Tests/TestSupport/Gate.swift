import Foundation

/// Closed until it is opened; opened for ever. Waits by blocking: for threads of the test's own.
package final class Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  package init() {}

  package func open() { semaphore.signal() }

  package func wait() {
    semaphore.wait()
    semaphore.signal()
  }
}
