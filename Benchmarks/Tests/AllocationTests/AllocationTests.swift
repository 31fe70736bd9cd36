import BenchmarkStates
import CountingMalloc
import FlaskCore
import FlaskDiff
import Testing

/// Run in release builds: without optimisation closures and results cost allocations of their own.
@Suite(.enabled(if: isOptimised && counting_malloc_is_available()))
struct AllocationTests {
  @Test func `An array that grows is counted`() {
    var arrays: [[Int]] = []
    arrays.reserveCapacity(2000)
    let count = allocationsPerOperation { arrays.append([arrays.count]) }
    #expect(count == 1)
  }

  @Test func `A mix that changes nothing allocates nothing`() {
    let mixing = Mixing()
    let substance = mixing.substance
    let token = substance.observe(\.counter) { _, _ in }
    let count = allocationsPerOperation { mixing.reactor.mix(substance) { $0.prop.counter = 0 }.react() }
    #expect(count == 0)
    token.cancel()
  }

  @Test func `A mix of one key with one reactor that asks for it allocates at most twice`() {
    let mixing = Mixing()
    let substance = mixing.substance
    let owner = CounterReactor()
    Flask.attachReactor(to: owner, mixing: substance)
    let count = allocationsPerOperation { mixing.reactor.mix(substance) { $0.prop.counter &+= 1 }.react() }
    #expect(count == 0)
    #expect(owner.last == 1010)
  }

  @Test func `A mix of one key with one observer of it`() {
    let mixing = Mixing()
    let substance = mixing.substance
    let token = substance.observe(\.counter) { _, _ in }
    let count = allocationsPerOperation { mixing.reactor.mix(substance) { $0.prop.counter &+= 1 }.react() }
    #expect(count == 0)
    token.cancel()
  }

  @Test func `A chain over two substances`() {
    let first = Flask.newSubstance(definedBy: State10.self)
    let second = Flask.newSubstance(definedBy: State10.self)
    let owner = Owner()
    let reactor = Flask.reactor(attachedTo: owner, mixing: [first, second])
    let count = allocationsPerOperation {
      reactor.mix(first) { $0.prop.counter &+= 1 }.with(second) { $0.prop.counter &+= 1 }.react()
    }
    #expect(count == 0)
    withExtendedLifetime(owner) {}
  }

  @Test func `Comparing equal values allocates nothing`() {
    let old = State10()
    var new = old
    new.counter = 0
    var isEmpty = true
    let count = allocationsPerOperation {
      isEmpty = StateDiff.changes(from: old, to: new).isEmpty && isEmpty
    }
    #expect(count == 0)
    #expect(isEmpty)
  }

  @Test func `Comparing wide values that differ in one number allocates nothing`() {
    let old = State120()
    var new = old
    new.i50 = 1
    var isChanged = true
    let count = allocationsPerOperation {
      isChanged = StateDiff.changes(from: old, to: new).contains("i50") && isChanged
    }
    #expect(count == 0)
    #expect(isChanged)
  }
}

#if DEBUG
  private let isOptimised = false
#else
  private let isOptimised = true
#endif
