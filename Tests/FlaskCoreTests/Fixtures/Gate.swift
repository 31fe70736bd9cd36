import Foundation

/// Closed until it is opened; opened for ever. Waits by blocking: for threads of the test's own.
final class Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func open() { semaphore.signal() }

  func wait() {
    semaphore.wait()
    semaphore.signal()
  }
}
