import Testing

@testable import FlaskCore
@testable import FlaskDerived
@testable import KernelFixtures
import TestSupport

/// A derived value never mixes two moments.
@Suite(.ownFlux) struct DerivedMomentTests {
  struct Numbers: Sendable, Equatable { var first = 0, second = 0 }

  @Test(arguments: [false, true])
  func `on other threads the sum is that of its inputs, at every moment`(isObserved: Bool) async {
    let (a, b) = (Substance(500), Substance(500))
    let sum = Derived { a.state + b.state }
    let double = Derived { sum.value * 2 }
    let wrong = Recorder<String>()
    let heard = Recorder<Int>()
    let token = isObserved ? double.observe { heard.append($1) } : nil
    let count = Workload.count(5_000, full: 200_000)
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        await OtherThread.run {
          for number in 1...count {
            Flask.mix(a, b) { a, b in
              a += number % 7
              b -= number % 7
            }
            if number % 5 == 0 { a.mix { $0 += 1 } }
          }
        }
      }
      for reader in 0..<2 {
        group.addTask {
          await OtherThread.run {
            var last = 0
            for _ in 0..<count {
              let (first, second, total, twice) = Flask.snapshot(a, b, sum, double)
              if first + second != total || total * 2 != twice {
                wrong.append("\(reader): \(first) + \(second) is not \(total), \(twice)")
              }
              let alone = sum.value
              if alone < last { wrong.append("\(reader): \(alone) after \(last)") }
              last = alone
            }
          }
        }
      }
    }
    #expect(wrong.all.prefix(3) == [])
    #expect(sum.value == 1_000 + count / 5)
    if isObserved {
      #expect(heard.all == (1...count / 5).map { (1_000 + $0) * 2 })
    }
    withExtendedLifetime(token) {}
  }

  @Test func `what an operation does not concern is not computed, though others begin to follow during it`() {
    let todos = Substance(Numbers())
    let other = Substance(1)
    let runs = Recorder<Int>()
    let heard = Recorder<Int>()
    let made = Recorder<Derived<Int>>()
    let bystander = Derived {
      runs.append(todos.second)
      return todos.second
    }
    // Whenever this one is computed, another one begins to follow.
    let maker = Derived {
      let fresh = Derived { other.state }
      made.append(fresh)
      return todos.first + fresh.value
    }
    let tokens = [bystander.observe { heard.append($1) }, maker.observe { _, _ in }]
    for number in 1...10 { todos.mix { $0.first = number } }
    #expect(made.count >= 10)
    #expect(runs.all == [0])
    todos.mix { $0.second = 7 }
    #expect(runs.all == [0, 7])
    #expect(heard.all == [7])
    withExtendedLifetime((bystander, maker, tokens)) {}
  }

  @Test func `who reads an earlier moment takes nothing from the ones that read the present one`() {
    let input = Substance(1)
    let runs = Recorder<Int>()
    let double = Derived {
      runs.append(input.state)
      return input.state * 2
    }
    #expect(double.value == 2)
    input.mix { $0 = 2 }
    let seen = ConsistentRead.perform { moment in
      #expect(moment.version(of: input.cell) == 1)
      input.mix { $0 = 3 }
      OtherThread.runBlocking { #expect(double.value == 6) }
      return (double.value, double.value)
    }
    #expect(seen == (4, 4))
    #expect(double.value == 6)
    #expect(runs.all == [1, 3, 2])
  }

  @Test func `who begins to observe in a closure is notified of the operation that it runs in`() {
    let input = Substance(1)
    let heard = Recorder<String>()
    let tokens = Recorder<SubstanceObservation>()
    let other = Derived { input.state }
    let maker = Derived {
      if input.state == 2, tokens.count == 0 {
        tokens.append(other.observe(isolation: nil) { heard.append("\($0) → \($1)") })
      }
      return input.state
    }
    let token = maker.observe(isolation: nil) { _, _ in }
    input.mix { $0 = 2 }
    input.mix { $0 = 3 }
    #expect(heard.all == ["1 → 2", "2 → 3"])
    withExtendedLifetime((token, tokens)) {}
  }
}
