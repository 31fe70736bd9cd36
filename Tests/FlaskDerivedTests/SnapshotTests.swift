import Testing

@testable import FlaskCore
@testable import FlaskDerived
@testable import KernelFixtures
import TestSupport

/// States of several substances at one moment.
@Suite(.ownFlux) struct SnapshotTests {
  @Test func `states of one moment, while another thread moves amounts between them`() async {
    let (a, b, c) = (Substance(1_000), Substance(0), Substance(0))
    let count = Workload.count(20_000, full: 1_000_000)
    async let moving: Void = OtherThread.run {
      for number in 0..<count {
        switch number % 3 {
        case 0:
          Flask.mix(a, b) { a, b in
            a -= 1
            b += 1
          }
        case 1:
          Flask.mix(b, c) { b, c in
            b -= 1
            c += 1
          }
        default:
          Flask.mix(c, a) { c, a in
            c -= 1
            a += 1
          }
        }
      }
    }
    var torn = 0
    for _ in 0..<count {
      let (a, b, c) = Flask.snapshot(a, b, c)
      if a + b + c != 1_000 { torn += 1 }
    }
    await moving
    #expect(torn == 0)
  }

  @Test func `single mixes are seen in their order`() async {
    let (first, second) = (Substance(0), Substance(0))
    let count = Workload.count(20_000, full: 1_000_000)
    async let counting: Void = OtherThread.run {
      for number in 1...count {
        first.mix { $0 = number }
        second.mix { $0 = number }
      }
    }
    var wrong = 0
    for _ in 0..<count {
      let (a, b) = Flask.snapshot(second, first)
      if b != a && b != a + 1 { wrong += 1 }
    }
    await counting
    #expect(wrong == 0)
  }
}
