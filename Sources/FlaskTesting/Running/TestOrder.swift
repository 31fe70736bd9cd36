internal import FlaskPrimitives

/// The order of events that could happen in any order: effects that are ready, and actions that are held.
///
/// Later versions may add cases: a `switch` over it has an `@unknown default`.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum TestOrder: Sendable, Hashable, CustomStringConvertible {
  /// A random order that the seed determines; equal seeds give equal orders.
  case seed(UInt64)
  /// The index of the item to take in each choice, among the ready items, oldest first; 0 after the end of the list.
  /// `explore` prints such an order.
  case choices([Int])

  /// The oldest first.
  public static let oldestFirst = TestOrder.choices([])

  /// The source code of the order, to paste into a test: `.seed(42)`.
  public var description: String {
    switch self {
    case .seed(let seed): ".seed(\(seed))"
    case .choices(let choices): ".choices(\(choices))"
    }
  }
}

/// The choices of one run, and their description.
final class OrderChoices: Sendable {
  /// One choice among several.
  struct Choice: Sendable, Hashable {
    let picked: Int
    let count: Int
  }

  /// Something that has happened.
  struct Event: Sendable {
    let what: What
    /// Among how many.
    let count: Int

    enum What: Sendable {
      /// A task was started or continued. The string is the name that the executor uses for the job of the task.
      case job(String)
      case action(String)
    }
  }

  private struct State {
    var random: SplitMix64?
    var prescribed: [Int]
    var choices: [Choice] = []
    var events: [Event] = []
    var names: [String: String] = [:]
  }

  let order: TestOrder
  private let state: Lock<State>

  init(_ order: TestOrder) {
    self.order = order
    switch order {
    case .seed(let seed): state = Lock(State(random: SplitMix64(state: seed), prescribed: []))
    case .choices(let choices): state = Lock(State(random: nil, prescribed: choices))
    }
  }

  /// Returns the index of the item to take among `count` items, and records the choice. With fewer than two items the
  /// result is 0, and no choice is recorded.
  func pick(of count: Int) -> Int {
    if count < 2 { return 0 }
    return state.withLock { state in
      let index = state.choices.count
      let prescribed = index < state.prescribed.count ? state.prescribed[index] : 0
      let picked = state.random?.next(below: count) ?? min(max(0, prescribed), count - 1)
      state.choices.append(Choice(picked: picked, count: count))
      return picked
    }
  }

  func record(_ what: Event.What, of count: Int) {
    state.withLock { state in
      // At most 10,000 events are recorded: a run that does not end has many, and the first ones show the problem.
      if state.events.count < 10_000 { state.events.append(Event(what: what, count: count)) }
    }
  }

  /// Names the task of a job after its effect.
  func name(_ job: String, _ name: String) { state.withLock { $0.names[job] = name } }

  func name(of job: String) -> String? { state.withLock { $0.names[job] } }

  /// The choices so far.
  var made: [Choice] { state.withLock { $0.choices } }

  /// The events, each in a line; consecutive equal events share a line.
  var lines: [String] {
    let (events, names) = state.withLock { ($0.events, $0.names) }
    var lines: [String] = []
    for event in events {
      let text: String =
        switch event.what {
        case .job(let job): names[job].map { "\($0) continues" } ?? "a task continues"
        case .action(let action): "\(action) is received"
        }
      let line = event.count > 1 ? "\(text) (one of \(event.count) that were ready)" : text
      if lines.last != line { lines.append(line) }
    }
    return lines.enumerated().map { "\($0.offset + 1). \($0.element)" }
  }
}

/// A small random number generator. Its numbers depend on the seed alone.
struct SplitMix64: Sendable {
  var state: UInt64

  mutating func next(below count: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((z ^ (z >> 31)) % UInt64(count))
  }
}
