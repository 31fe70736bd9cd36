import Foundation

/// A clock that stands still until a test advances it.
///
/// `@unchecked Sendable`: everything mutable is touched under `lock` only.
package final class ManualClock: Clock, @unchecked Sendable {
  package struct Instant: InstantProtocol {
    package var offset: Duration

    package init(offset: Duration = .zero) { self.offset = offset }

    package func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    package func duration(to other: Instant) -> Duration { other.offset - offset }
    package static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct Sleeper {
    let id: Int
    let deadline: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private let lock = NSLock()
  private var time = Instant()
  private var serial = 0
  private var sleepers: [Sleeper] = []
  private var cancelled: Set<Int> = []
  private var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  private var endings: [CheckedContinuation<Void, Never>] = []

  package init() {}

  package var now: Instant { lock.withLock { time } }
  package var minimumResolution: Duration { .nanoseconds(1) }

  package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = lock.withLock {
      serial += 1
      return serial
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        lock.lock()
        if cancelled.contains(id) {
          lock.unlock()
          continuation.resume(throwing: CancellationError())
        } else if deadline <= time {
          lock.unlock()
          continuation.resume()
        } else {
          sleepers.append(Sleeper(id: id, deadline: deadline, continuation: continuation))
          let ready = watchers.filter { $0.count <= sleepers.count }
          watchers.removeAll { $0.count <= sleepers.count }
          lock.unlock()
          for watcher in ready { watcher.continuation.resume() }
        }
      }
    } onCancel: {
      lock.lock()
      cancelled.insert(id)
      let sleeper = sleepers.first { $0.id == id }
      sleepers.removeAll { $0.id == id }
      let endings = endings
      self.endings = []
      lock.unlock()
      sleeper?.continuation.resume(throwing: CancellationError())
      for ending in endings { ending.resume() }
    }
  }

  /// Moves the time on, and wakes who has slept long enough.
  package func advance(by duration: Duration) {
    lock.lock()
    time = time.advanced(by: duration)
    let due = sleepers.filter { $0.deadline <= time }
    sleepers.removeAll { $0.deadline <= time }
    lock.unlock()
    for sleeper in due { sleeper.continuation.resume() }
  }

  /// Returns once that many sleep.
  package func sleeping(_ count: Int) async {
    await withCheckedContinuation { continuation in
      lock.lock()
      if sleepers.count >= count {
        lock.unlock()
        continuation.resume()
      } else {
        watchers.append((count, continuation))
        lock.unlock()
      }
    }
  }

  /// Returns once a sleeper has been cancelled, at once if one was.
  package func cancellation() async {
    await withCheckedContinuation { continuation in
      lock.lock()
      if cancelled.isEmpty {
        endings.append(continuation)
        lock.unlock()
      } else {
        lock.unlock()
        continuation.resume()
      }
    }
  }
}
