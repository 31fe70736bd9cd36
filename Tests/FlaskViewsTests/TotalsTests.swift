import Testing

@testable import FlaskViews
@testable import KernelFixtures
import TestSupport

@Suite(.ownFlux) struct TotalsTests {
  struct Amount: Identifiable, Sendable {
    let id: Int
    var value: Double
    var count: Int = 0
  }
  struct Ledger: Sendable { var amounts: Entities<Amount> = [] }

  let ledger = Substance(Ledger())

  @Test func `a sum of floating-point numbers has no rounding errors of what was removed`() {
    let sum = ledger.view(\.amounts).sum { $0.value }
    #expect(sum.value == 0)
    ledger.mix {
      $0.amounts = [Amount(id: 0, value: 0.1), Amount(id: 1, value: 1e300), Amount(id: 2, value: 0.2)]
    }
    #expect(sum.value == 1e300)
    ledger.mix { $0.amounts.remove(id: 1) }
    #expect(sum.value == 0.1 + 0.2)
    ledger.mix { $0.amounts.append(Amount(id: 3, value: .infinity)) }
    #expect(sum.value == .infinity)
    ledger.mix { $0.amounts.append(Amount(id: 4, value: -.infinity)) }
    #expect(sum.value.isNaN)
    ledger.mix { $0.amounts.remove(id: 3) }
    #expect(sum.value == -.infinity)
    ledger.mix { $0.amounts.remove(id: 4) }
    #expect(sum.value == 0.1 + 0.2)
    ledger.mix { $0.amounts.append(Amount(id: 5, value: .nan)) }
    #expect(sum.value.isNaN)
    ledger.mix { $0.amounts.remove(id: 5) }
    #expect(sum.value == 0.1 + 0.2)
  }

  @Test func `the largest numbers cancel each other`() {
    let sum = ledger.view(\.amounts).sum { $0.value }
    let large = Double.greatestFiniteMagnitude
    ledger.mix { $0.amounts = Entities((0..<4).map { Amount(id: $0, value: large) }) }
    #expect(sum.value == .infinity)
    ledger.mix { $0.amounts.append(Amount(id: 9, value: 5)) }
    ledger.mix { ledger in for id in 0..<4 { ledger.amounts.append(Amount(id: 10 + id, value: -large)) } }
    #expect(sum.value == 5)
    ledger.mix { ledger in for id in 0..<4 { ledger.amounts.remove(id: id) } }
    #expect(sum.value == -.infinity)
    ledger.mix { ledger in for id in 10..<13 { ledger.amounts.remove(id: id) } }
    #expect(sum.value == -large)
  }

  @Test(arguments: 1..<30)
  func `an exact sum is the sum of integers that a number of its kind can have`(seed: Int) {
    var dice = Dice(seed)
    var (sum, expected, numbers) = (ExactSum<Double>(), 0, [Int]())
    for _ in 0..<300 {
      if dice.roll(3) == 0, !numbers.isEmpty {
        let number = numbers.remove(at: dice.roll(numbers.count))
        sum.remove(Double(number))
        expected -= number
      } else {
        let number = (dice.roll(1 << 30) - 1 << 29) << dice.roll(20)
        numbers.append(number)
        sum.add(Double(number))
        expected += number
      }
      #expect(sum.value == Double(expected))
    }
  }

  @Test func `integers wrap between, and are right in the end`() {
    let sum = ledger.view(\.amounts).sum { $0.count }
    ledger.mix {
      $0.amounts = [
        Amount(id: 0, value: 0, count: .max), Amount(id: 1, value: 0, count: .max),
        Amount(id: 2, value: 0, count: .min), Amount(id: 3, value: 0, count: 1),
      ]
    }
    #expect(sum.value == .max)
    ledger.mix { $0.amounts.remove(id: 1) }
    #expect(sum.value == 0)
  }

  @Test func `an average of nothing is nil`() {
    let mean = ledger.view(\.amounts).average { $0.count }
    let exact = ledger.view(\.amounts).average { $0.value }
    #expect(mean.value == nil)
    ledger.mix { $0.amounts = [Amount(id: 0, value: 1, count: 1), Amount(id: 1, value: 2, count: 4)] }
    #expect(mean.value == 2.5)
    #expect(exact.value == 1.5)
    #expect(ledger.view(\.amounts).min { $0.count }.value?.id == 0)
    #expect(ledger.view(\.amounts).max { $0.count }.value?.id == 1)
  }

  @Test func `observers of a total hear of changes of the total alone`() {
    let sum = ledger.view(\.amounts).sum { $0.count }
    let told = Recorder<Int>()
    let token = sum.observe { told.append($1) }
    ledger.mix { $0.amounts.append(Amount(id: 0, value: 0, count: 3)) }
    ledger.mix { $0.amounts[id: 0]?.value = 7 }
    ledger.mix { $0.amounts[id: 0]?.count = 4 }
    #expect(told.all == [3, 4])
    withExtendedLifetime(token) {}
  }

  @Test(arguments: [(1.0, 1.0.nextUp), (-1, 1)])
  func `half of the last place is rounded by what lies below it`(_ tail: Double, _ total: Double) {
    var sum = ExactSum<Double>()
    for number in [1, 0x1p-53, tail * 0x1p-110] { sum.add(number) }
    #expect(sum.value == total)
  }
}
