import BenchmarkSink
import BenchmarkStates
import FlaskCore
import FlaskDiff
import FlaskInsight
import Swift5Client

/// The operations whose allocations are counted, by name. The first one tests the counting itself.
func operations() -> [(String, () -> Void)] {
  [
    ("one array, made and released", oneArray()),
    ("a mix that changes nothing", mix { $0.prop.counter = 0 }),
    ("a mix of one key, one reactor", mix { $0.prop.counter &+= 1 }),
    ("a mix of one key, one observer", observedMix()),
    ("a mix of a Swift 5 client on the main actor, one reactor, a captured value", swift5Mix()),
    ("a chain over two substances", chainOverTwo()),
    ("a mix of one key, an observed derived value of two substances", derivedOfTwo()),
    ("comparing equal values", comparison(State10(), State10())),
    ("comparing wide values that differ in one number", wideComparison()),
    // Last, since from its first call on the flux is traced.
    ("a mix of one key, one observer, a trace that is full", tracedMix()),
  ]
}

private final class CounterReactor: FlaskReactor {
  var last = 0

  func flaskReactions(reaction: FlaskReaction) {
    reaction.on(State10.prop.counter) { change in last = change.newValue() ?? -1 }
  }
}

private func oneArray() -> () -> Void {
  var array: [Int] = []
  return { array = [array.first ?? 1, 2] }
}

private func mix(_ body: @escaping @Sendable (Substance<State10>) -> Void) -> () -> Void {
  let substance = Flask.newSubstance(definedBy: State10.self)
  let owner = CounterReactor()
  let reactor = Flask.attachReactor(to: owner, mixing: substance)
  return { withExtendedLifetime(owner) { _ = reactor.mix(substance, body).react() } }
}

private func observedMix() -> () -> Void {
  let substance = Flask.newSubstance(definedBy: State10.self)
  let owner = CounterReactor()
  let reactor = Flask.reactor(attachedTo: owner, mixing: substance)
  let token = substance.observe(\.counter) { _, _ in }
  return {
    withExtendedLifetime((owner, token)) { _ = reactor.mix(substance) { $0.prop.counter &+= 1 }.react() }
  }
}

private func tracedMix() -> () -> Void {
  let change = observedMix()
  var trace: Trace?
  return {
    if trace == nil {
      trace = Trace(capacity: 100)
      for _ in 0..<200 { change() }
    }
    change()
  }
}

private func swift5Mix() -> () -> Void {
  let perform = Swift5Client.reactor(Sink())
  return { perform(1) }
}

private func chainOverTwo() -> () -> Void {
  let first = Flask.newSubstance(definedBy: State10.self)
  let second = Flask.newSubstance(definedBy: State10.self)
  let owner = CounterReactor()
  let reactor = Flask.reactor(attachedTo: owner, mixing: [first, second])
  return {
    withExtendedLifetime(owner) {
      _ = reactor.mix(first) { $0.prop.counter &+= 1 }.with(second) { $0.prop.counter &+= 1 }.react()
    }
  }
}

private func derivedOfTwo() -> () -> Void {
  let first = Substance(State10())
  let second = Substance(State10())
  let sum = Derived { first.counter &+ second.counter }
  let token = sum.observe { _, _ in }
  return { withExtendedLifetime((sum, token)) { _ = first.mix { $0.counter &+= 1 } } }
}

private func comparison<Value>(_ old: Value, _ new: Value) -> () -> Void {
  { _ = StateDiff.changes(from: old, to: new).isEmpty }
}

private func wideComparison() -> () -> Void {
  let old = State120()
  var new = old
  new.i50 = 1
  return comparison(old, new)
}
