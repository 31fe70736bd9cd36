import FlaskCore
import Foundation
import KernelFixtures
import TestSupport
import Testing

@testable import FlaskDerived

/// What a closure has read, beside a list that is searched from the beginning.
@Suite struct ReadLogTests {
  @Test(arguments: 0..<40)
  func `each read is noted once, in the order of the first`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let cells = (0..<5).map { _ in Substance<Tally>().cell }
    func program() -> [(object: Cell, key: Int)] {
      (0..<Int.random(in: 0...60, using: &random)).map { _ in
        (cells[Int.random(in: 0..<5, using: &random)], Int.random(in: -1...70, using: &random))
      }
    }
    var expected = Reads.none
    for _ in 0..<4 {
      let reads = program()
      var isFirst: [Bool] = []
      var model: [(object: Cell, key: Int)] = []
      var log = ReadLog(expecting: UnretainedReference(expected))
      for read in reads {
        let isNew = !model.contains { $0.object === read.object && $0.key == read.key }
        if isNew { model.append(read) }
        isFirst.append(log.recordRead(of: read.key, in: read.object) == isNew)
      }
      #expect(isFirst.allSatisfy { $0 })
      #expect(log.all.map(\.key) == model.map(\.key))
      #expect(zip(log.all, model).allSatisfy { $0.object === $1.object })
      expected = Reads(log.all, lists: [])
      // The same reads again, with repetitions.
      var again = ReadLog(expecting: UnretainedReference(expected))
      for read in model + reads { _ = again.recordRead(of: read.key, in: read.object) }
      #expect(again.all.map(\.key) == model.map(\.key))
    }
  }

  /// It would not end soon if each read was compared with all others.
  @Test func `a closure may read many thousands of values`() {
    let numbers = (0..<20_000).map { Substance($0) }
    let sum = Derived {
      numbers.reduce(0) { $0 + $1.state } + numbers.reversed().reduce(0) { $0 + $1.state }
    }
    #expect(sum.value == 20_000 * 19_999)
    numbers[5].mix { $0 = 6 }
    #expect(sum.value == 20_000 * 19_999 + 2)
  }
}
