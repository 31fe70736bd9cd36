import Foundation
import Observation
import Synchronization
import Testing

@testable import FlaskCore

/// A tracked closure that is armed again by what it is told, while other threads begin to track.
@Suite struct SelfArmingTests {
  private final class Tracker: Sendable {
    private let substance: Substance<Int>
    private let isOn = Atomic<Bool>(true)
    private let tellings = Atomic<Int>(0)

    init(_ substance: Substance<Int>) { self.substance = substance }

    var count: Int { tellings.load(ordering: .relaxed) }

    func arm() {
      withObservationTracking {
        _ = substance.state
      } onChange: {
        self.tellings.add(1, ordering: .relaxed)
        if self.isOn.load(ordering: .relaxed) { self.arm() }
      }
    }

    func end() { isOn.store(false, ordering: .relaxed) }

    /// Begins to track in a loop, on threads of its own: some thousand times for each commit. Without that
    /// bound a release build adds closures faster than the commits notify them, until they outgrow the memory.
    func trackElsewhere() {
      for _ in 0..<3 {
        Thread.detachNewThread {
          var begun = 0
          while self.isOn.load(ordering: .relaxed) {
            if begun == 4_000 * (self.count + 1) {
              Thread.sleep(forTimeInterval: 0.0001)
              continue
            }
            begun += 1
            withObservationTracking {
              _ = self.substance.state
            } onChange: {
            }
          }
        }
      }
    }
  }

  @Test func `it is reported once for each commit`() {
    let substance = Substance(0)
    let tracker = Tracker(substance)
    tracker.arm()
    tracker.trackElsewhere()
    for _ in 0..<8 {
      Thread.sleep(forTimeInterval: 0.03)
      substance.mix { $0 += 1 }
    }
    Thread.sleep(forTimeInterval: 0.03)
    tracker.end()
    #expect(tracker.count == 8)
  }
}
