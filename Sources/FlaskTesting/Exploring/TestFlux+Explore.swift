internal import FlaskPrimitives

extension TestFlux {
  /// Performs a test repeatedly until it fails. Each run has a separate flux, and another order of all that could
  /// happen in any order. A failure is an issue, with the shortest failing order as a list of what happened.
  ///
  /// ```swift
  /// await test.explore(seeds: 1_000) { test in
  ///   let app = App(test.dispatcher)
  ///   Flask.dispatch(Search(text: "a"))
  ///   Flask.dispatch(Search(text: "ab"))
  ///   await test.settle()
  ///   test.verify(app.results.text == "ab")
  /// }
  /// ```
  /// An order fails if the test in it has issues, or throws. Failures of `#expect` are not seen: use `verify`. The
  /// first half of the runs tries the orders systematically: those with the fewest departures from "the oldest first"
  /// come first. If more orders exist, the other half uses the orders of random seeds. Nothing has to be asserted
  /// exhaustively: `exhaustivity` is off unless `body` sets it.
  ///
  /// - Parameters:
  ///   - seeds: how many orders are run at most.
  ///   - isolation: the isolation of the caller; supplied by the compiler.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - filePath: as `fileID`.
  ///   - line: as `fileID`.
  ///   - column: as `fileID`.
  ///   - body: the test. It must depend on nothing but its order.
  /// - Returns: the result.
  @discardableResult
  public func explore(
    seeds: Int = 1_000,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ body: (_ test: TestFlux) async throws -> Void
  ) async -> Exploration {
    let place = TestPlace(fileID, filePath, line, column)
    var search = OrderSearch(limit: seeds)
    while let order = search.next() {
      let run = await TestFlux.run(order, at: place, body)
      search.didRun(run.choices, of: order)
      if run.issues.isEmpty { continue }
      let shortest = await TestFlux.shorten(run, at: place, body)
      report(shortest, after: search.runs, at: place)
      return Exploration(
        runs: search.runs,
        isComplete: false,
        failingOrder: shortest.order,
        issues: shortest.issues
      )
    }
    return Exploration(runs: search.runs, isComplete: search.isComplete, failingOrder: nil, issues: [])
  }

  /// One run of the test in one order.
  private struct Run: Sendable {
    let order: TestOrder
    let issues: [TestIssue]
    let choices: [OrderChoices.Choice]
    let lines: [String]
  }

  private static func run(
    _ order: TestOrder,
    at place: TestPlace,
    isolation: isolated (any Actor)? = #isolation,
    _ body: (TestFlux) async throws -> Void
  ) async -> Run {
    let issues = Lock<[TestIssue]>([])
    let test = TestFlux(order, at: place) { issue in issues.withLock { $0.append(issue) } }
    test.exhaustivity = .off
    do {
      try await test.perform(body)
    } catch {
      let issue = TestIssue(message: "it threw \(ValueDifference.text(error))", place: place)
      issues.withLock { $0.append(issue) }
    }
    return Run(
      order: order,
      issues: issues.withLock { $0 },
      choices: test.choices.made,
      lines: test.choices.lines
    )
  }

  /// Searches for a simpler order in which the test still fails. At each choice that did not take the oldest ready
  /// item, it tries the oldest one: first in as many choices as possible at the end of the order, then in one choice
  /// after the other.
  private static func shorten(
    _ failed: Run,
    at place: TestPlace,
    isolation: isolated (any Actor)? = #isolation,
    _ body: (TestFlux) async throws -> Void
  ) async -> Run {
    var best = failed
    var picks = failed.choices.map(\.picked)
    func fails(_ picks: [Int]) async -> Bool {
      let run = await run(.choices(picks), at: place, body)
      if !run.issues.isEmpty { best = run }
      return !run.issues.isEmpty
    }
    while picks.last == 0 { picks.removeLast() }
    guard await fails(picks) else { return failed }
    // A binary search for the shortest beginning of the order with which the test still fails. It assumes that the test
    // fails with every longer beginning, too.
    var low = 0
    var high = picks.count
    while low < high {
      let middle = (low + high) / 2
      if await fails(Array(picks.prefix(middle))) { high = middle } else { low = middle + 1 }
    }
    picks = Array(picks.prefix(high))
    for index in picks.indices where picks[index] != 0 {
      var simpler = picks
      simpler[index] = 0
      if await fails(simpler) { picks = simpler }
    }
    while picks.last == 0 { picks.removeLast() }
    _ = await fails(picks)
    return best
  }

  private func report(_ run: Run, after count: Int, at place: TestPlace) {
    let issues = run.issues.map { "\n  \($0.place): \($0.message.prefix { $0 != "\n" })" }.joined()
    let lines = run.lines.map { "\n  " + $0 }.joined()
    fail(
      "the order \(run.order) fails, found after \(count) runs:\(issues)\nthe shortest failing order:\(lines)\n"
        + "pass `order: \(run.order)` to `withTestFlux` to see it again",
      at: place
    )
  }
}

/// Decides which orders to run: first the orders with the fewest departures from "the oldest first", then random
/// orders.
struct OrderSearch {
  private let limit: Int
  private(set) var runs = 0
  /// The orders to run, each by its first choices. The orders before index `first` have been run. All later choices of
  /// an order take the oldest item. No entry that has not been run is a prefix of another one.
  private var waiting: [[Int]] = [[]]
  private var first = 0
  private var isCut = false

  init(limit: Int) { self.limit = limit }

  /// Whether all orders were run.
  var isComplete: Bool { first == waiting.count && !isCut }

  mutating func next() -> TestOrder? {
    if runs >= limit || isComplete { return nil }
    runs += 1
    if first < waiting.count, runs <= (limit + 1) / 2 {
      defer { first += 1 }
      return .choices(waiting[first])
    }
    return .seed(UInt64(runs))
  }

  /// Adds orders to try: those that differ in one choice from the order that was just run. The choices that this order
  /// prescribed stay the same.
  mutating func didRun(_ choices: [OrderChoices.Choice], of order: TestOrder) {
    guard case .choices(let beginning) = order, beginning.count <= choices.count else { return }
    let picks = choices.map(\.picked)
    for index in beginning.count..<choices.count {
      for pick in 1..<max(2, choices[index].count) where choices[index].count > 1 {
        // No further orders are added to `waiting` if more of them are waiting than `limit`, the number of runs that
        // are allowed in all.
        if waiting.count - first > limit {
          isCut = true
          return
        }
        waiting.append(picks[..<index] + [pick])
      }
    }
  }
}
