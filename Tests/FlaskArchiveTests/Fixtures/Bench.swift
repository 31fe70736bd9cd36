@testable import FlaskPrimitives
import Foundation

@_spi(Checks) @testable import FlaskArchive
import TestSupport

/// A state, its archiver, a clock moved by hand, and all that becomes of them.
final class Bench: Sendable {
  struct Counter: Codable, Equatable, Sendable {
    var count = 0
  }

  let clock = ManualArchiveScheduler()
  let state: Lock<Counter>
  let faults = Recorder<String>()
  let backend: any ArchiveBackend
  let archiver: StateArchiver<Counter>

  init(
    _ backend: any ArchiveBackend,
    clock: ManualArchiveScheduler? = nil,
    registry: Archivers = Archivers(),
    key: String = "app",
    owner: String = "bench",
    place: String? = nil,
    count: Int = 0
  ) {
    let state = Lock(Counter(count: count))
    let faults = faults
    self.state = state
    self.backend = backend
    archiver = StateArchiver(
      key: key,
      owner: ArchiveOwner(name: owner, place: place),
      in: backend,
      as: ArchiveShape(initial: Counter()),
      schedule: ArchiveSchedule(delay: .seconds(2), cap: .seconds(10)),
      scheduler: clock ?? self.clock,
      registry: registry,
      onFault: { faults.append("\($0)") },
      snapshot: { state.withLock { $0 } }
    )
  }

  func change(to count: Int) {
    state.withLock { $0.count = count }
    archiver.stateChanged()
  }

  /// Moves the clock, and waits until what it has set going is done.
  func pass(_ duration: Duration) {
    clock.advance(by: duration)
    archiver.waitForWork()
  }

  /// What the archive has, read as another program would.
  func archived(key: String = "app") -> Int? {
    guard let data = try? backend.load(key),
      let read = try? ArchiveShape(initial: Counter()).decode(data, for: key)
    else { return nil }
    return read.state.count
  }
}
