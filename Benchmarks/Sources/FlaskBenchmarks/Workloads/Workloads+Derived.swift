import BenchmarkSink
import BenchmarkStates
import FlaskDerived
import FlaskCore
import HandWritten

/// W16: what is derived from a key of each of two states, of which one changes: the observer of it fires. The bound is a
/// memo written by hand.
extension Workloads {
  static func derivedFromTwo() -> [Case] {
    [
      Case("W16", "hand", fires: 1) { sink in
        let memo = Memo { sink.hear($0, $1) }
        let first = HandStore10 { memo.first($1) }
        return { count in
          withExtendedLifetime(memo) {
            for _ in 0..<count { first.mutate { $0.counter &+= 1 } }
          }
        }
      },
      Case("W16", "Derived", fires: 1) { sink in
        let first = Substance(State10())
        let second = Substance(State10())
        let sum = Derived { first.counter &+ second.counter }
        let token = sum.observe { sink.hear($0, $1) }
        return { count in
          withExtendedLifetime((sum, token, second)) {
            for _ in 0..<count { first.mix { $0.counter &+= 1 } }
          }
        }
      },
    ]
  }
}

/// Remembers a sum of two numbers, and says when it has changed.
private final class Memo {
  private var numbers = (first: 0, second: 0)
  private var sum = 0
  private let onSum: (Int, Int) -> Void

  init(onSum: @escaping (Int, Int) -> Void) { self.onSum = onSum }

  @inline(never)
  func first(_ number: Int) {
    numbers.first = number
    let old = sum
    sum = numbers.first &+ numbers.second
    if sum != old { onSum(old, sum) }
  }
}
