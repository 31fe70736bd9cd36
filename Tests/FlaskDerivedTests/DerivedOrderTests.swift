import Testing

@testable import FlaskCore
@testable import FlaskDerived
@testable import KernelFixtures
import TestSupport

/// In which order what follows from a commit is computed and told: that in which it was made.
@Suite(.ownFlux) struct DerivedOrderTests {
  let a = Substance(0)
  let b = Substance(0)
  let told = Recorder<Int>()

  @Test func `it is the order in which they were made, whichever one was observed first`() {
    let values = (0..<100).map { number in Derived { [a] in a.state + number } }
    let tokens = values.indices.shuffled().map { number in
      values[number].observe { [told] _, _ in told.append(number) }
    }
    a.mix { $0 += 1 }
    #expect(told.all == Array(0..<100))
    // Those of even numbers go, whichever place they have.
    for token in tokens { token.cancel() }
    let odd = values.indices.shuffled().filter { $0 % 2 == 1 }.map { number in
      values[number].observe { [told] _, _ in told.append(number) }
    }
    _ = told.take()
    a.mix { $0 += 1 }
    #expect(told.all == (0..<100).filter { $0 % 2 == 1 })
    // They are told as long as they are held.
    withExtendedLifetime((values, odd)) {}
  }

  @Test func `it stays so if an earlier one reads another substance later on`() {
    let first = Derived { [a, b] in a.state == 0 ? 0 : b.state + 1 }
    let others = (1..<10).map { number in Derived { [b] in b.state + number } }
    var tokens = others.enumerated().map { index, other in
      other.observe { [told] _, _ in told.append(index + 1) }
    }
    tokens.append(first.observe { [told] _, _ in told.append(0) })
    b.mix { $0 += 1 }
    #expect(told.all == Array(1..<10))
    a.mix { $0 += 1 }
    _ = told.take()
    b.mix { $0 += 1 }
    #expect(told.all == Array(0..<10))
    a.mix { $0 = 0 }
    _ = told.take()
    b.mix { $0 += 1 }
    #expect(told.all == Array(1..<10))
    withExtendedLifetime((first, others, tokens)) {}
  }
}
