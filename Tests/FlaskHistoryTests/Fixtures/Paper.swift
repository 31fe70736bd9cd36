import FlaskPrimitives
import FlaskEntities
import FlaskHistory
import Synchronization

/// A state to be undone.
struct Paper: Codable, Sendable, Equatable {
  var text = ""
  var count = 0
  var cursor = Cursor()
  var list: [Int] = []
  @Clamped var level = 1

  struct Cursor: Codable, Sendable, Equatable {
    var line = 0
    var column = 0
  }
}

struct Drawing: Sendable, Equatable {
  var zoom = 1.0
  var shapes: Entities<Row> = []
}

/// A clock that is set by hand.
final class HandClock: Clock, Sendable {
  struct Instant: InstantProtocol {
    var offset = Duration.zero
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
  }

  private let time = Mutex(Instant())
  var now: Instant { time.withLock { $0 } }
  var minimumResolution: Duration { .nanoseconds(1) }
  func advance(by duration: Duration) { time.withLock { $0 = $0.advanced(by: duration) } }
  func sleep(until deadline: Instant, tolerance: Duration?) async throws {}
}
