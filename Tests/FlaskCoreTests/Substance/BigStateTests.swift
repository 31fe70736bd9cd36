import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

/// States of any size fit on a small stack.
@Suite(.ownFlux) struct BigStateTests {
  @Test func `300 properties are mixed on a stack of 512 KB`() async {
    let flux = Flux.current
    let heard = await OtherThread.run(stack: 512 * 1024) {
      Flux.$current.withValue(flux) {
        let wide = Watched<WideState>()
        for number in 0..<100 {
          wide.mix {
            $0.prop.f000 = number + 1
            $0.prop.f298 = "number \(number)"
            $0.prop.f299 = nil
          }
        }
        wide.substance.captureState()
        wide.mix { $0.prop.f150 = -1 }
        wide.substance.rollbackState()
        return wide.heard.all
      }
    }
    #expect(heard.count == 102)
    #expect(heard.first == ["f000", "f298", "f299"])
    #expect(heard[1] == ["f000", "f298"])
    #expect(heard.last == ["f150"])
  }

  @Test func `64 KB are mixed on a stack of 512 KB`() async {
    #expect(MemoryLayout<LargeState>.size == 65_536)
    let flux = Flux.current
    let heard = await OtherThread.run(stack: 512 * 1024) {
      Flux.$current.withValue(flux) {
        let large = Watched<LargeState>()
        for number in 0..<20 { large.mix { $0.prop.right.h.h.h.h = number + 1 } }
        large.mix { _ in throw Oops() }
        large.substance.captureState()
        large.mix { $0.prop.left.a.a.a.a = 1 }
        large.substance.rollbackState()
        return large.heard.all
      }
    }
    #expect(heard.count == 22)
    #expect(FaultLog.takeKinds() == [.errorDropped])
    #expect(heard.first == ["right", "right.h", "right.h.h", "right.h.h.h", "right.h.h.h.h"])
    #expect(heard.last == ["left", "left.a", "left.a.a", "left.a.a.a", "left.a.a.a.a"])
  }
}
