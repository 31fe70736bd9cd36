import BenchmarkSink
import BenchmarkStates
import FlaskDerived
import FlaskCore

/// W31: values that are derived from each other: a chain, whose end is observed; a diamond of four; and reading the end
/// of a chain in which nothing has changed. The bound is a chain of memos written by hand.
///
/// W40: a key changes that none of many derived values reads. The bound is a mix beside which nothing is derived.
extension Workloads {
  static func derivedChains() -> [Case] {
    [chainByHand(10), chain(1), chain(10), chain(100), diamond(), readChain(10), readChain(100)]
  }

  private static func chainByHand(_ count: Int) -> Case {
    Case("W31", "hand, chain of \(count)", fires: 1) { sink in
      let end = MemoLink { sink.hear($0, $1) }
      var first = end
      for _ in 1..<count {
        let above = first
        first = MemoLink { above.set($1) }
      }
      let store = HandChainStore(first)
      return { for _ in 0..<$0 { store.increment() } }
    }
  }

  /// Values of which each is derived from the one before it.
  private static func values(_ count: Int, of substance: Substance<State10>) -> [Derived<Int>] {
    var chain = [Derived { substance.counter }]
    for _ in 1..<count {
      let below = chain[chain.count - 1]
      chain.append(Derived { below.value &+ 1 })
    }
    return chain
  }

  private static func chain(_ count: Int) -> Case {
    Case("W31", "chain of \(count)", fires: 1) { sink in
      let substance = Substance(State10())
      let chain = values(count, of: substance)
      let token = chain[count - 1].observe { sink.hear($0, $1) }
      return { count in
        withExtendedLifetime((chain, token)) {
          for _ in 0..<count { substance.mix { $0.counter &+= 1 } }
        }
      }
    }
  }

  private static func diamond() -> Case {
    Case("W31", "diamond", fires: 1) { sink in
      let substance = Substance(State10())
      let first = Derived { substance.counter }
      let (left, right) = (Derived { first.value &+ 1 }, Derived { first.value &* 2 })
      let last = Derived { left.value &+ right.value }
      let token = last.observe { sink.hear($0, $1) }
      return { count in
        withExtendedLifetime((last, token)) {
          for _ in 0..<count { substance.mix { $0.counter &+= 1 } }
        }
      }
    }
  }

  private static func readChain(_ count: Int) -> Case {
    Case("W31", "reading a chain of \(count)", fires: 1) { sink in
      let substance = Substance(State10())
      let chain = values(count, of: substance)
      let end = chain[count - 1]
      return { count in
        withExtendedLifetime(chain) {
          for _ in 0..<count { sink.hear(0, end.value) }
        }
      }
    }
  }

  static func notRead() -> [Case] {
    [0, 10, 1_000, 10_000].map { count in
      Case("W40", count == 0 ? "mix" : "\(count) derived", fires: 0) { sink in
        let substance = Substance(State10())
        let values = (0..<count).map { number in Derived { substance.a &+ number } }
        let tokens = values.map { value in value.observe { sink.hear($0, $1) } }
        return { count in
          withExtendedLifetime((values, tokens)) {
            for _ in 0..<count { substance.mix { $0.counter &+= 1 } }
          }
        }
      }
    }
  }
}

/// Remembers a number, and hands on the next one when it has changed.
private final class MemoLink {
  private var number = 0
  private let onChange: (Int, Int) -> Void

  init(onChange: @escaping (Int, Int) -> Void) { self.onChange = onChange }

  @inline(never)
  func set(_ new: Int) {
    let old = number
    number = new &+ 1
    if number != old { onChange(old, number) }
  }
}

private final class HandChainStore {
  private var counter = 0
  private let first: MemoLink

  init(_ first: MemoLink) { self.first = first }

  @inline(never)
  func increment() {
    counter &+= 1
    first.set(counter)
  }
}
