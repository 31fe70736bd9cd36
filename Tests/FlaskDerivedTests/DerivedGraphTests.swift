import FlaskPrimitives
import Testing

@testable import FlaskCore
@testable import FlaskDerived
import TestSupport

/// Random graphs of derived values beside several threads that mix, read, take snapshots, and begin and end to observe.
/// What anybody sees is what the closures of the graph make of states of one moment; what an observer is told is each
/// change between the moment when it began and that when it ended.
@Suite(.serialized) struct DerivedGraphTests {
  @Test(arguments: [1, 2]) func `everyone sees what follows from states of one moment`(fluxCount: Int) async {
    for seed in 0..<Workload.count(150, full: 1_000) {
      let world = GraphWorld(seed: UInt64(seed), fluxCount: fluxCount)
      await world.run(count: 120)
      let wrong = world.wrong.all
      #expect(wrong.isEmpty, "seed \(seed): \(wrong.count) wrong, \(wrong.prefix(3)), of \(world.graph)")
      if !wrong.isEmpty { return }
    }
  }
}

/// A graph of numbers: the first three are substances, each of the others follows from two that come before it.
struct ValueGraph: CustomStringConvertible {
  struct Node {
    let first: Int, second: Int
    /// Whether what is read depends on the first one.
    let isVarying: Bool

    func value(_ read: (Int) -> Int) -> Int {
      let number = read(first)
      if isVarying { return number % 2 == 0 ? number : read(second) &+ 1 }
      return (number &+ read(second)) / 2
    }
  }

  static let inputCount = 3
  let nodes: [Node]

  init(using random: inout SeededGenerator) {
    nodes = (0..<Int.random(in: 1...12, using: &random)).map { place in
      let end = ValueGraph.inputCount + place
      return Node(
        first: Int.random(in: 0..<end, using: &random),
        second: Int.random(in: 0..<end, using: &random),
        isVarying: Bool.random(using: &random)
      )
    }
  }

  var description: String {
    nodes.map { "\($0.first)\($0.isVarying ? "?" : "+")\($0.second)" }.joined(separator: " ")
  }

  /// All values that follow from states.
  func values(of inputs: [Int]) -> [Int] {
    var values = inputs
    for node in nodes { values.append(node.value { values[$0] }) }
    return values
  }
}

private final class GraphWorld: Sendable {
  let graph: ValueGraph
  let wrong = Recorder<String>()
  private let seed: UInt64
  private let fluxCount: Int
  private let home: Flux
  private let other: Flux
  private let inputs: [Substance<Int>]
  private let values: [Derived<Int>]
  /// The states after each operation of the home flux, if there is no other, in the order in which they were performed:
  /// the last one may be in progress.
  private let history = Lock<[[Int]]>([[0, 0, 0]])

  init(seed: UInt64, fluxCount: Int) {
    self.seed = seed
    self.fluxCount = fluxCount
    var random = SeededGenerator(seed: seed)
    let graph = ValueGraph(using: &random)
    self.graph = graph
    let (home, other) = (Flux(), Flux())
    (self.home, self.other) = (home, other)
    let inputs = (0..<ValueGraph.inputCount).map { place in
      Flux.$current.withValue(place == 2 && fluxCount == 2 ? other : home) { Substance(0) }
    }
    self.inputs = inputs
    values = Flux.$current.withValue(home) {
      var values: [Derived<Int>] = []
      for node in graph.nodes {
        let below = values
        values.append(
          Derived { node.value { $0 < inputs.count ? inputs[$0].state : below[$0 - inputs.count].value } }
        )
      }
      return values
    }
  }

  /// Performs `count` steps on each of some threads.
  func run(count: Int) async {
    let mixing: @Sendable (inout SeededGenerator) -> Void = { self.mix(using: &$0) }
    let reading: @Sendable (inout SeededGenerator) -> Void = { self.read(using: &$0) }
    let observing: @Sendable (inout SeededGenerator) -> Void = { self.observe(using: &$0) }
    let watching = values.indices.filter { (seed >> UInt64($0)) % 2 == 0 }.map { Watch(self, $0) }
    let token = inputs[0].observe(\.self, isolation: nil) { [self] _, _ in check("in an observer of an input")
    }
    let kinds = [mixing, mixing, observing, reading]
    await withTaskGroup(of: Void.self) { group in
      for (place, kind) in kinds.prefix(2 + Int(seed % 3)).enumerated() {
        group.addTask { [seed] in
          await OtherThread.run {
            var random = SeededGenerator(seed: seed &* 31 &+ UInt64(place))
            for _ in 0..<count { kind(&random) }
          }
        }
      }
    }
    for flux in [other, home] { _ = await flux.performInFluxQueue(isolation: nil) {}.outcome }
    check("at the end")
    for watch in watching { watch.end() }
    withExtendedLifetime(token) {}
  }

  private func mix(using random: inout SeededGenerator) {
    let place = Int.random(in: 0..<inputs.count, using: &random)
    let amount = Int.random(in: -3...3, using: &random)
    let looked = Int.random(in: 0..<values.count, using: &random)
    let isChecked = Int.random(in: 0..<4, using: &random) == 0
    inputs[place].mix(isolation: nil) { [self] state in
      // Nothing else of the home flux is committed meanwhile.
      if isChecked && place < 2 { check("in a mix", [looked]) }
      state += amount
      note(place, state)
    }
    if isChecked {
      Flask.mix(inputs[0], inputs[1], isolation: nil) { [self] first, second in
        first += 1
        second -= amount
        history.withLock { $0.append([first, second, $0[$0.count - 1][2]]) }
      }
    }
  }

  private func note(_ place: Int, _ state: Int) {
    history.withLock { history in
      var states = history[history.count - 1]
      states[place] = state
      history.append(states)
    }
  }

  private func read(using random: inout SeededGenerator) {
    let place = Int.random(in: 0..<values.count, using: &random)
    let (first, second, third, value, last) = Flask.snapshot(
      inputs[0],
      inputs[1],
      inputs[2],
      values[place],
      values[values.count - 1]
    )
    let expected = graph.values(of: [first, second, third])
    if value != expected[3 + place] || last != expected[expected.count - 1] {
      wrong.append(
        "a snapshot of \([first, second, third]) has \(value) for \(place), \(last) for the last one"
      )
    }
    _ = values[place].value
  }

  /// Reads values where nothing of the home flux is committed meanwhile.
  private func check(_ site: String, _ places: [Int]? = nil) {
    // The other flux goes on; what is pinned is not used again.
    let third = inputs[2].cell.pinCommitted()
    defer { third.unpin() }
    let states = inputs.map(\.state)
    let seen = (places ?? Array(values.indices)).map { ($0, values[$0].value) }
    let last = inputs[2].cell.pinCommitted()
    defer { last.unpin() }
    if last !== third { return }
    let expected = graph.values(of: states)
    for (place, value) in seen where value != expected[3 + place] {
      wrong.append("\(site) \(place) is \(value) and not \(expected[3 + place]) of \(states)")
    }
  }

  private func observe(using random: inout SeededGenerator) {
    let watch = Watch(self, Int.random(in: 0..<values.count, using: &random))
    for _ in 0..<Int.random(in: 0..<60, using: &random) { _ = values[0].value }
    watch.end()
  }

  /// An observer, and what it is told.
  private final class Watch: Sendable {
    private let world: GraphWorld
    private let place: Int
    private let told = Recorder<(old: Int, new: Int)>()
    private let token: SubstanceObservation
    /// How many operations had begun before and after it was begun.
    private let begun: ClosedRange<Int>

    init(_ world: GraphWorld, _ place: Int) {
      (self.world, self.place) = (world, place)
      let before = world.count
      token = world.values[place].observe(isolation: nil) { [told] in told.append(($0, $1)) }
      begun = before...world.count
    }

    func end() {
      let before = world.count
      token.cancel()
      let told = told.all
      let ended = before...max(before, world.count)
      for (last, next) in zip(told, told.dropFirst()) where last.new != next.old {
        world.wrong.append("an observer of \(place) is told \(last), then \(next)")
      }
      if world.fluxCount > 1 { return }
      let values = world.history.withLock { $0 }.map { world.graph.values(of: $0)[3 + place] }
      // Of those that had begun the last one may not have been committed.
      for first in max(1, begun.lowerBound - 1)...begun.upperBound {
        for last in max(first, ended.lowerBound - 1)...max(first, ended.upperBound) {
          let range = values[(first - 1)..<last]
          let changes = zip(range, range.dropFirst()).filter { $0 != $1 }
          if changes.elementsEqual(told, by: { $0.0 == $1.old && $0.1 == $1.new }) { return }
        }
      }
      world.wrong.append("an observer of \(place) from \(begun) to \(ended) of \(values) is told \(told)")
    }
  }

  private var count: Int { history.withLock { $0.count } }
}
