import FlaskPrimitives
import Synchronization
import Testing

@testable import FlaskCore
@testable import FlaskDerived
@testable import KernelFixtures
import TestSupport

/// A derived value may go at any moment, also while it is computed or told.
@Suite(.ownFlux) struct DerivedLifetimeTests {
  private final class Holder: Sendable {
    let value = Mutex<Derived<Int>?>(nil)
    let token = Mutex<SubstanceObservation?>(nil)

    func drop() {
      // Released outside of the locks.
      let old = (value.withLock { $0.take() }, token.withLock { $0.take() })
      withExtendedLifetime(old) {}
    }
  }

  private let input = Substance(Tally())
  private let holder = Holder()
  private let told = Recorder<String>()

  /// Fills the holder, so that nobody else holds what it lets go of.
  private func hold(_ value: Derived<Int>, _ handler: @escaping @Sendable (Int, Int) -> Void) {
    holder.token.withLock { $0 = value.observe(isolation: nil, handler) }
    holder.value.withLock { $0 = value }
  }

  private func mixThrice() { for number in 1...3 { input.mix { $0.counter = number } } }

  @Test func `its own observer releases it`() {
    hold(Derived { [input] in input.counter }) { [holder, told] old, new in
      told.append("\(old) → \(new)")
      holder.drop()
    }
    mixThrice()
    #expect(told.all == ["0 → 1"])
  }

  @Test func `an observer of what it depends on releases it`() {
    hold(Derived { [input] in input.counter }) { [told] in told.append("\($0) → \($1)") }
    let token = input.observe(\.counter) { [holder] _, _ in holder.drop() }
    mixThrice()
    #expect(told.all == [])
    withExtendedLifetime(token) {}
  }

  @Test func `its own closure releases it`() {
    hold(
      Derived { [input, holder] in
        if input.counter > 0 { holder.drop() }
        return input.counter
      }
    ) { [told] in told.append("\($0) → \($1)") }
    mixThrice()
    #expect(told.all == [])
  }

  @Test func `one that goes while it is computed leaves nothing behind`() {
    weak var node: AnyDerivedNode?
    do {
      let value = Derived { [input, holder] in
        if input.counter > 0 { holder.drop() }
        return input.counter
      }
      node = value.node
      hold(value) { _, _ in }
    }
    #expect(node != nil)
    mixThrice()
    #expect(node == nil)
    #expect(input.cell.notices & Cell.Notice.attached == 0)
  }

  @Test func `a substance that it does not read any more knows it no more, nor holds it`() {
    let other = Substance(1)
    weak var node: AnyDerivedNode?
    do {
      let value = Derived { [input] in input.counter > 0 ? input.counter : other.state }
      node = value.node
      let token = value.observe { _, _ in }
      #expect(other.cell.notices & Cell.Notice.attached != 0)
      input.mix { $0.counter = 1 }
      #expect(other.cell.notices & Cell.Notice.attached == 0)
      withExtendedLifetime((value, token)) {}
    }
    #expect(node == nil)
  }

  @Test func `another thread releases it while its input is mixed`() async {
    for number in 1...Workload.count(2_000, full: 20_000) {
      let holder = Holder()
      holder.value.withLock { [input] in $0 = Derived { input.counter } }
      let token = holder.value.withLock { $0?.observe { _, _ in } }
      holder.token.withLock { $0 = token }
      async let dropped: Void = holder.drop()
      input.mix { $0.counter = number }
      await dropped
    }
    #expect(input.counter == Workload.count(2_000, full: 20_000))
  }

  @Test func `each of a long chain is asked once, and computed once`() {
    let count = 300
    let counter = Counter()
    var chain = [Derived { [input] in counter.call { input.counter } }]
    for _ in 1..<count {
      let below = chain[chain.count - 1]
      chain.append(Derived { counter.call { below.value + 1 } })
    }
    #expect(chain[count - 1].value == count - 1)
    #expect(counter.count == count)
    input.mix { $0.counter = 1 }
    #expect(chain[count - 1].value == count)
    #expect(counter.count == 2 * count)
    input.mix { $0.text = "another key" }
    #expect(chain[count - 1].value == count)
    #expect(counter.count == 2 * count)
    let token = chain[count - 1].observe { [told] in told.append("\($0) → \($1)") }
    input.mix { $0.counter = 2 }
    #expect(told.all == ["\(count) → \(count + 1)"])
    #expect(counter.count == 3 * count)
    withExtendedLifetime(token) {}
  }

  @Test
  func `on another flux that is locked meanwhile, the change is distinguished from what was reported last`()
    async
  {
    let other = Flux()
    let value = Flux.$current.withValue(other) { Derived { [input] in input.counter } }
    let token = value.observe(isolation: nil) { [told] in told.append("\($0) → \($1)") }
    let lock = other.lock()
    input.mix { $0.counter = 1 }
    input.mix { $0.text = "another key" }
    input.mix { $0.counter = 2 }
    lock.release()
    _ = await other.performInFluxQueue {}.outcome
    #expect(told.all == ["0 → 2"])
    withExtendedLifetime(token) {}
  }

  private final class Marker: Sendable {}

  @Test func `one that is only read keeps no older value`() {
    let marked = Substance(Marker())
    let value = Derived { [marked.state] }
    weak var first: Marker?
    first = value.value.first
    #expect(first != nil)
    for _ in 0..<2 {
      marked.mix { $0 = Marker() }
      #expect(value.value.count == 1)
    }
    #expect(first == nil)
  }

  private final class Counter: Sendable {
    private let calls = Atomic<Int>(0)
    var count: Int { calls.load(ordering: .relaxed) }

    func call(_ body: () -> Int) -> Int {
      calls.add(1, ordering: .relaxed)
      return body()
    }
  }

  final class Load: Sendable, Equatable {
    let number: Int
    init(_ number: Int) { self.number = number }
    static func == (a: Load, b: Load) -> Bool { a.number == b.number }
  }

  @Test func `a value that was observed once keeps no old value`() {
    let loads = Recorder<@Sendable () -> Load?>()
    let value = Derived { [input] in
      let load = Load(input.counter)
      loads.append { [weak load] in load }
      return load
    }
    func live() -> [Int] { loads.all.compactMap { $0()?.number } }
    var token: SubstanceObservation? = value.observe { _, _ in }
    mixThrice()
    #expect(value.value.number == 3)
    token = nil
    withExtendedLifetime(token) {}
    // The node finds out that nobody observes it with the next change.
    input.mix { $0.counter = 4 }
    #expect(value.value.number == 4)
    #expect(Set(live()) == [4])
    input.mix { $0.counter = 5 }
    #expect(value.value.number == 5)
    #expect(Set(live()) == [5])
    // It can be observed again.
    let again = value.observe(isolation: nil) { [told] in told.append("\($0.number) → \($1.number)") }
    input.mix { $0.counter = 6 }
    #expect(told.all == ["5 → 6"])
    withExtendedLifetime(again) {}
  }
}
