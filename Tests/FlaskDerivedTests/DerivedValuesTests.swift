import Foundation
import Testing

@testable import FlaskCore
@testable import FlaskDerived
@testable import KernelFixtures
import TestSupport

/// The values of a derived value as a sequence: each of them once, whenever it begins.
@Suite(.ownFlux) struct DerivedValuesTests {
  let input = Substance(Tally())

  @Test func `begun between a commit and its notifications it gives the value once`() async {
    let count = Derived { [input] in input.counter }
    let before = count.observe { _, _ in }
    let (arrived, gate, end) = (Gate(), Gate(), Gate())
    // Observers of what it depends on are notified first: the value is committed by then.
    let stop = input.observe(\.counter, isolation: nil) { _, new in
      if new > 1 { return }
      arrived.open()
      gate.wait()
    }
    Thread { [input] in
      input.mix { $0.counter = 1 }
      end.open()
    }
    .start()
    arrived.wait()
    var values = count.values().makeAsyncIterator()
    #expect(await values.next() == 1)
    gate.open()
    end.wait()
    // Given twice, it would be there by now.
    async let mixing: Void = OtherThread.run { [input] in
      Thread.sleep(forTimeInterval: 0.05)
      input.mix { $0.counter = 2 }
    }
    #expect(await values.next() == 2)
    await mixing
    withExtendedLifetime((before, stop)) {}
  }

  @Test func `begun inside of a mix it begins with the value before, and gives the one after`() async {
    let count = Derived { [input] in input.counter }
    // Written inside of the mix, which ends before it is read.
    nonisolated(unsafe) var begun: StateValues<Int>.Iterator?
    input.mix {
      begun = count.values().makeAsyncIterator()
      $0.counter = 1
    }
    var values = begun.take()
    // A slow reader gets the newest.
    #expect(await values?.next() == 1)
    async let mixing: Void = OtherThread.run { [input] in
      Thread.sleep(forTimeInterval: 0.05)
      input.mix { $0.counter = 2 }
    }
    #expect(await values?.next() == 2)
    await mixing
  }

  @Test func `begun after changes that no one was notified of it begins with what is there`() async {
    let count = Derived { [input] in input.counter }
    count.observe { _, _ in }.cancel()
    for number in 1...3 { input.mix { $0.counter = number } }
    var values = count.values().makeAsyncIterator()
    #expect(await values.next() == 3)
    input.mix { $0.counter = 4 }
    #expect(await values.next() == 4)
  }

  @Test func `begun beside mixes it never gives a value twice, nor goes back`() async {
    let count = Derived { [input] in input.counter }
    let hasEnded = Recorder<Bool>()
    async let mixing: Void = OtherThread.run { [input] in
      while hasEnded.count == 0 { input.mix { $0.counter += 1 } }
    }
    var wrong = 0
    for _ in 0..<Workload.count(300, full: 5_000) {
      var values = count.values().makeAsyncIterator()
      let first = await values.next() ?? 0
      let second = await values.next() ?? 0
      if second <= first { wrong += 1 }
    }
    hasEnded.append(true)
    await mixing
    #expect(wrong == 0)
  }
}
