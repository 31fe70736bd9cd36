import Foundation
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

  @Test func `a total behind a limit counts what is shown, by whatever numbers`() {
    let board = Substance(
      Board(
        rows: [
          Row(id: 1, title: "", due: 0, owner: 1), Row(id: 2, title: "", due: 0, owner: 2),
          Row(id: 3, title: "", due: 0),
        ],
        people: [Person(id: 1, name: "a"), Person(id: 2, name: "bb")]
      )
    )
    let rows = board.view(\.rows)
    func named(_ view: LiveView<Row>) -> LiveView<Identified<Int, Int>> {
      view.joined(with: board.view(\.people), on: \.owner) { $1?.name.count ?? 0 }
    }
    let views = [
      named(rows.prefix(1)), named(rows).prefix(1).filter { _ in true },
      named(rows).prefix(1).sorted { $0.id },
      named(rows.prefix(1).prefix(1)),
    ]
    // The views are read before, and their totals are made after.
    for view in views { #expect(view.map(\.value) == [1]) }
    board.mix {
      $0.rows.swapAt(0, 1)
      $0.rows.remove(id: 2)
    }
    let sums = views.map { $0.sum { $0.value } }
    #expect(sums.map(\.value) == [1, 1, 1, 1])
    board.mix { $0.people[id: 1]?.name = "ccc" }
    #expect(sums.map(\.value) == [3, 3, 3, 3])
  }

  @Test func `a limit of a limit follows an equal collection with other numbers`() {
    let board = Substance(
      Board(rows: Entities((0..<100).map { Row(id: $0, title: "", due: $0, owner: $0 % 3) }))
    )
    board.mix { board in for id in 1..<40 { board.rows.remove(id: id) } }
    let view = board.view(\.rows).prefix(3).prefix(2).joined(with: board.view(\.people), on: \.owner) {
      $0.due + ($1 == nil ? 0 : 1_000)
    }
    let sum = view.sum { $0.value }
    #expect(sum.value == 40)
    board.mix { $0.rows = Entities(Array($0.rows)) }
    #expect(view.map(\.value) == [0, 40])
    board.mix { $0.people.append(Person(id: 9, name: "z")) }
    #expect(view.map(\.value) == [0, 40])
    board.mix { $0.people.append(Person(id: 1, name: "a")) }
    #expect(view.map(\.value) == [0, 1_040])
    #expect(sum.value == 1_040)
  }

  struct Bill: Identifiable, Sendable {
    let id: Int
    var amount: Decimal
  }
  struct Bills: Sendable {
    var bills: Entities<Bill> = []
    var note = ""
  }

  @Test func `a sum of decimals recovers from what cannot be undone`() {
    let bills = Substance(Bills())
    let view = bills.view(\.bills)
    let passes = Recorder<Int>()
    let sum = view.sum { bill in
      passes.append(bill.id)
      return bill.amount
    }
    let average = view.average({ $0.amount }) { $0 / Decimal($1) }
    #expect(average.value == nil)
    let cent = Decimal(string: "0.01") ?? 0
    bills.mix { $0.bills = [Bill(id: 1, amount: cent), Bill(id: 2, amount: 3 * cent)] }
    #expect(sum.value == 4 * cent)
    #expect(average.value == 2 * cent)
    for amount in [Decimal.nan, Decimal(sign: .plus, exponent: 60, significand: 1)] {
      bills.mix { $0.bills.append(Bill(id: 3, amount: amount)) }
      _ = sum.value
      bills.mix { $0.bills.remove(id: 3) }
      #expect(sum.value == 4 * cent)
      #expect(average.value == 2 * cent)
    }
    _ = passes.take()
    bills.mix { $0.note = "another key" }
    #expect(sum.value == 4 * cent)
    #expect(passes.all == [])
  }

  @Test func `durations are added and taken away`() {
    let board = Substance(Board(rows: [Row(id: 1, title: "", due: 3), Row(id: 2, title: "", due: 4)]))
    let sum = board.view(\.rows).sum { Duration.seconds($0.due) }
    #expect(sum.value == .seconds(7))
    board.mix { $0.rows.remove(id: 1) }
    #expect(sum.value == .seconds(4))
  }
}
