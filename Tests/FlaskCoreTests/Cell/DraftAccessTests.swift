import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

/// While a writer has a draft, nobody else gets it: the second access is a fault, and neither loses nor breaks anything.
@Suite(.ownFlux) struct DraftAccessTests {
  private let profile = Watched<Profile>()

  @Test func `a write inside a write is a fault, and the first write counts`() {
    profile.mix { profile in
      profile.prop.list = [3, 1, 2]
      profile.prop.list.sort { left, right in
        profile.prop.list = []
        profile.prop.scores["sorted"] = 1
        return left < right
      }
    }
    #expect(profile.substance.state.list == [1, 2, 3])
    #expect(profile.substance.state.scores == [:])
    let kinds = FaultLog.takeKinds()
    #expect(kinds.count >= 4)
    #expect(Set(kinds) == [.overlappingAccess])
  }

  @Test func `a read inside a write is a fault, and gives the committed state`() {
    let seen = Recorder<Int>()
    profile.mix {
      $0.prop._cache = 5; $0.prop.list = [1]
    }
    profile.mix { profile in
      profile.prop._cache = 6
      profile.prop.list.append(contentsOf: [2].map { $0 + profile.prop._cache })
      profile.prop.list.withUnsafeMutableBufferPointer { _ in seen.append(profile.prop._cache) }
      profile.prop._cache += 1
    }
    #expect(seen.all == [5])
    #expect(profile.substance.state.list == [1, 8])
    #expect(profile.substance.state._cache == 7)
    #expect(FaultLog.takeKinds() == [.overlappingAccess])
  }

  @Test func `a write inside a read is a fault and dropped, or comes after the read if that took a copy`() {
    let seen = Recorder<Int>()
    profile.mix { $0.prop.list = [1, 2] }
    profile.mix { profile in
      read(profile.prop) { state in
        profile.prop.list = []
        seen.append(state.list.count)
      }
      profile.prop.list.append(3)
    }
    #expect(seen.all == [2])
    let isFault = !FaultLog.takeKinds().isEmpty
    #expect(profile.substance.state.list == (isFault ? [1, 2, 3] : [3]))
  }

  @Test func `an error thrown inside a write gives the draft back`() {
    profile.mix { profile in
      try profile.prop.list.withUnsafeMutableBufferPointer { _ in throw Oops() }
    }
    profile.mix { $0.prop.list = [1] }
    #expect(profile.substance.state.list == [1])
    #expect(FaultLog.takeKinds() == [.errorDropped])
  }

  private func read(_ state: borrowing Profile, _ body: (borrowing Profile) -> Void) { body(state) }
}
