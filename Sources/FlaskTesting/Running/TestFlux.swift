internal import FlaskPrimitives

/// A flux of a test, with everything that the app under test takes from the system: time, threads, archives.
///
/// ```swift
/// try await withTestFlux { test in
///   let results = ResultStore()
///   test.dispatcher.register(workers: [results, SearchMiddleware()])
///   await test.send(Search(text: "a"), changing: results) { $0.isLoading = true }
///   await test.receive(Found.self, changing: results) { $0 = ResultState(items: ["a"]) }
/// }
/// ```
/// Effects run on the thread of the test, and only while it waits for them: in `receive`, `advance`, `settle` and at
/// the end. So nothing runs concurrently with the test, and `order` decides the order of jobs that could run in any
/// order.
///
/// Only one task at a time may use it.
public final class TestFlux: Sendable {
  /// How much has to be asserted.
  ///
  /// Later versions may add cases: a `switch` over it has an `@unknown default`.
  #if hasAttribute(nonexhaustive)
    @nonexhaustive
  #endif
  public enum Exhaustivity: Sendable {
    /// Everything has to be asserted: changes, actions of effects, ends of effects, released locks, deallocated owners.
    case on
    /// Only the assertions are checked. All other changes, effects, actions, locks and owners are no failures.
    case off
  }

  /// The flux of the test. It is the current flux inside of `withTestFlux`.
  public let flux: Flux
  /// The order of jobs and actions that are ready at the same time.
  public let order: TestOrder
  let environment: TestEnvironment
  let log = ChangeLog()
  let choices: OrderChoices
  let place: TestPlace
  private let report: @Sendable (TestIssue) -> Void
  private let inspection: Inspection
  private let mode = Lock(Exhaustivity.on)
  /// The substances that the steps in progress assert. A step within a step leaves their changes to the outer one.
  let asserting = Lock<[Subject]>([])

  init(_ order: TestOrder, at place: TestPlace, _ report: @escaping @Sendable (TestIssue) -> Void) {
    self.order = order
    self.place = place
    self.report = report
    choices = OrderChoices(order)
    environment = TestEnvironment(choices)
    flux = Flux(environment: environment)
    inspection = Inspection(of: flux)
    flux.onFault = { [log] in log.add($0) }
    flux.tracers.add(log)
    let executor = environment.testExecutor
    environment.testClock.set(
      TestClock.Hooks(settle: { executor.drain() }, tag: { TestEnvironment.tagHere })
    )
  }

  /// The default dispatcher of this flux. Inside of `withTestFlux` the app's code uses it by default.
  public var dispatcher: FluxDispatcher { flux.dispatcher }
  /// Replaces the system's clock in effects, locks and archives, and in the app's own code, if it is passed there.
  public var clock: TestClock { environment.testClock }
  /// The archive of substances without a backend of their own.
  public var archive: MemoryArchive { environment.memory }

  /// The amount that has to be asserted.
  public var exhaustivity: Exhaustivity {
    get { mode.withLock { $0 } }
    set { mode.withLock { $0 = newValue } }
  }

  // MARK: Issues

  /// Makes the test fail, with a message, unless `condition` holds. `explore` notices this failure, unlike a failed
  /// `#expect`.
  public func verify(
    _ condition: Bool,
    _ message: @autoclosure () -> String = "what was to be verified does not hold",
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    if !condition { fail(message(), at: TestPlace(fileID, filePath, line, column)) }
  }

  func fail(_ message: String, at place: TestPlace) {
    // The message of an issue contains the order of the test only if the run had a choice between several events.
    let isChosen = !choices.made.isEmpty
    let suffix =
      isChosen ? "\nin the order \(order): pass `order: \(order)` to `withTestFlux` to see it again" : ""
    report(TestIssue(message: message + suffix, place: place))
  }

  /// Reports each fault since the last call as an issue, at the line that caused the fault.
  func reportFaults() {
    for fault in log.takeFaults() {
      fail(
        "Flask fault (\(fault.kind.rawValue)): \(fault.message)",
        at: place.line(fault.line, ofFile: fault.fileID)
      )
    }
  }

  // MARK: Effects

  /// Runs the effects until all of them wait.
  func drain(at place: TestPlace) {
    environment.testExecutor.drain()
    guard let endless = environment.testExecutor.takeEndless() else { return }
    fail(
      "\(endless) never comes to rest: it continues without waiting for anything, so no further effect runs",
      at: place
    )
  }

  /// Runs the effects, including their work on the main actor, until all of them wait.
  func drainWithMain(at place: TestPlace) async {
    drain(at: place)
    if environment.waitingOutside.isEmpty { return }
    repeat {
      drain(at: place)
      // Effects may have enqueued work on the main actor. It was enqueued before this call, so it has run when the call
      // returns.
      await MainActor.run {}
    } while environment.testExecutor.isReady
  }

  // MARK: The end

  /// Reports faults, and in an exhaustive test also everything that is left; then ends all work. The returned closure
  /// reports leaks and ends the executor.
  func finish(isFailed: Bool) -> () -> Void {
    let isExhaustive = exhaustivity == .on && !isFailed && !environment.testExecutor.isEndless
    reportFaults()
    if isExhaustive {
      reportUnasserted(at: place)
      for action in environment.held {
        fail(
          "\(ValueDifference.text(action.action)) was dispatched by \(action.effect.title), and the test has not received it",
          at: place
        )
      }
      let live = flux.inspect()
      // Effects are not checked in a replay, where an effect may still wait for the end of its debouncing or throttling
      // interval.
      for entry in environment.isReplaying ? [] : live.entries(.effect) {
        let waits = environment.held.isEmpty ? "" : " (it ends when its actions have been received)"
        fail("the \(entry) has not ended\(waits)", at: place)
      }
      for lock in flux.locks {
        fail(
          "the lock taken at \(lock.fileID):\(lock.line) is held at the end of the test",
          at: place.line(lock.line, ofFile: lock.fileID)
        )
      }
    }
    dismantle()
    return { [self] in
      if isExhaustive { reportLeaks() }
      reportFaults()
      flux.tracers.remove(log)
      log.end()
      environment.testExecutor.end()
    }
  }

  /// Ends all running work.
  private func dismantle() {
    flux.purgeFluxQueue()
    flux.removeLocks()
    flux.dispatcher.unregisterAll()
    clock.end()
    for action in environment.end() { action.submit(nil) }
    environment.testExecutor.drain(isLast: true)
    forgetChanges()
  }

  private func reportLeaks() {
    let left = flux.inspect().entries.filter { $0.kind != .effect && $0.kind != .lock }
    for entry in left {
      let own = entry.place.map { place.line($0.line, ofFile: $0.fileID) } ?? place
      fail("the \(entry) is still alive after the test: it is retained", at: own)
    }
  }

  /// Marks all changes made so far as asserted.
  func forgetChanges() { _ = log.takeChanges { _ in true } }

  /// Reports each change that was not asserted as an issue.
  func reportUnasserted(at place: TestPlace) {
    for entry in takeChanges() { reportUnasserted(entry, at: place) }
  }

  /// Removes the changes from the log that no step in progress asserts, and returns them.
  func takeChanges() -> [ChangeLog.Entry] {
    let asserted = asserting.withLock { $0 }
    return log.takeChanges { entry in !asserted.contains { $0 === entry.subject } }
  }

  func reportUnasserted(_ entry: ChangeLog.Entry, at place: TestPlace) {
    if ValueDifference.areEqual(entry.old, entry.new) { return }
    let lines = ValueDifference(from: entry.old, to: entry.new).lines.map { "\n  " + $0 }.joined()
    fail(
      "\(entry.subject.name) was changed by \(entry.title), and the test does not say so (- before, + now):\(lines)",
      at: place
    )
  }
}
