import Dispatch
import FlaskPrimitives
import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

/// A handler without an isolation that is slower than the thread that mixes beside it.
@Suite(.ownFlux) struct RestlessMixesTests {
  @Test func `after some hundred commits of others another thread is notified of the rest`()
    async
  {
    let substance = Substance<Tally>(name: "a")
    let (isTold, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let heard = Recorder<(value: Int, thread: UInt)>()
    let tokens = Recorder<SubstanceObservation>()
    async let first: UInt = OtherThread.run {
      let token = substance.observe(valuesOf: \.counter, isolation: nil) { value in
        if heard.count == 0 {
          isTold.signal()
          goOn.wait()
        }
        heard.append((value, ThreadIdentity.current))
      }
      tokens.append(token)
      return ThreadIdentity.current
    }
    await OtherThread.run { isTold.wait() }
    for value in 1..<2_000 { substance.mix(isolation: nil) { $0.counter = value } }
    goOn.signal()
    let thread = await first
    while heard.count < 2_000 { await Task.yield() }
    #expect(heard.all.map(\.value) == Array(0..<2_000))
    #expect(heard.all.filter { $0.thread == thread }.count < 600)
    tokens.all.forEach { $0.cancel() }
  }
}
