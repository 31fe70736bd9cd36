internal import FlaskPrimitives

/// One step of a test. When the step begins, earlier changes are checked, or dropped if `exhaustivity` is off. All
/// changes until the end of the step belong to it.
struct TestStep {
  let test: TestFlux
  let place: TestPlace
  let fileID: StaticString

  init(_ test: TestFlux, _ fileID: StaticString, _ filePath: StaticString, _ line: UInt, _ column: UInt) {
    self.test = test
    self.fileID = fileID
    place = TestPlace(fileID, filePath, line, column)
    test.reportFaults()
    if test.exhaustivity == .on { test.reportUnasserted(at: place) } else { _ = test.takeChanges() }
  }

  /// Ends the step: the changes are compared with the assertions.
  func end(_ asserted: [AssertedState] = []) {
    for state in asserted {
      if let message = state.complaint() { test.fail(message, at: place) }
    }
    let changes = test.takeChanges()
    if test.exhaustivity == .on {
      for entry in changes where !asserted.contains(where: { $0.subject === entry.subject }) {
        test.reportUnasserted(entry, at: place)
      }
    }
    test.reportFaults()
  }

  // MARK: What a step does

  func dispatch(
    _ action: any FluxAction,
    with dispatcher: FluxDispatcher?,
    isolation: (any Actor)?
  ) -> FluxReceipt {
    let dispatcher = dispatcher ?? test.dispatcher
    return dispatcher.dispatch(action, isolation: isolation, fileID: fileID, line: place.line)
  }

  /// Dispatches an action as the synchronous `dispatch` does. Then waits until the action has ended, unless the flux
  /// has locks.
  func dispatch(
    _ action: any FluxAction,
    with dispatcher: FluxDispatcher?,
    waiting isolation: isolated (any Actor)?
  ) async {
    let receipt = dispatch(action, with: dispatcher, isolation: isolation)
    if test.flux.locks.isEmpty { _ = await receipt.outcome }
    complain(about: receipt, of: action)
  }

  func complain(about receipt: FluxReceipt, of action: Any) {
    guard case .failed(let error) = receipt.outcomeIfKnown else { return }
    test.fail(
      "\(ValueDifference.text(action)) was discarded: \(ValueDifference.text(error)) was thrown",
      at: place
    )
  }

  func mix<S: Sendable>(
    _ substance: Substance<S>,
    isolation: (any Actor)?,
    _ body: @escaping @Sendable (inout S) throws -> Void
  ) {
    let receipt = substance.mix(isolation: isolation, fileID: fileID, line: place.line, body)
    guard case .failed(let error) = receipt.outcomeIfKnown else { return }
    test.fail(
      "the mix of \(substance.name()) was discarded: \(ValueDifference.text(error)) was thrown",
      at: place
    )
  }

  /// Performs an action that an effect has dispatched, after the effects have run until all of them wait.
  func receive<Action: FluxAction>(
    _ type: Action.Type,
    isolation: isolated (any Actor)?,
    where isMeant: (Action) -> Bool
  ) async -> Action? {
    await test.drainWithMain(at: place)
    guard
      let held = test.environment.take({ ($0 as? Action).map(isMeant) ?? false }),
      let action = held.action as? Action
    else {
      test.fail(whyNone(of: type), at: place)
      return nil
    }
    held.submit(isolation)
    return action
  }

  private func whyNone(of type: Any.Type) -> String {
    let held = test.environment.held.map { ValueDifference.text($0.action) }
    let outside = test.environment.waitingOutside.map(\.title)
    let asleep = test.clock.sleeperCount
    var message = "there is no \(type) to receive"
    if !held.isEmpty { message += "; there are \(held.joined(separator: ", "))" }
    if asleep > 0 { message += "; \(asleep) sleep until the clock is advanced" }
    if !outside.isEmpty {
      message +=
        "; \(outside.joined(separator: ", ")) waits for something that is neither the clock nor the main actor"
    }
    if held.isEmpty && asleep == 0 && outside.isEmpty { message += ": no effect runs" }
    return message
  }
}

/// The expected state of a substance after a step.
private final class ExpectedState<S: Sendable> {
  private let substance: TypedSubstance<S>
  private let test: TestFlux
  private let before: S
  /// The expected state.
  var state: S

  init(_ substance: TypedSubstance<S>, _ test: TestFlux) {
    self.substance = substance
    self.test = test
    before = substance.state
    state = before
  }

  /// Called after the action or body of the step has ended. If `exhaustivity` is off, the expected state is computed
  /// from a copy of the actual state. Otherwise it is computed from the state before the step.
  func readAgain() { if test.exhaustivity == .off { state = substance.state } }

  var asserted: AssertedState {
    let substance = substance
    let before = before
    let state = state
    let isExhaustive = test.exhaustivity == .on
    let log = test.log
    return AssertedState(subject: substance.subject) {
      let present = substance.state
      if !ValueDifference.areEqual(state, present) {
        let lines = ValueDifference(from: state, to: present).lines.map { "\n  " + $0 }.joined()
        return "\(substance.name()) is not as the test says (- as it says, + as it is):\(lines)"
      }
      // It may have changed, and have come back.
      if isExhaustive, ValueDifference.areEqual(before, present), !log.hasChanges(of: substance.subject) {
        return "\(substance.name()) was to change, and did not"
      }
      return nil
    }
  }
}

/// The expected states of the substances that a step names.
final class ExpectedStates<each S: Sendable> {
  private let step: TestStep
  private let states: (repeat ExpectedState<each S>)
  /// The subjects of the substances, until the step has ended.
  private let subjects: Lock<[Subject]>

  init(_ step: TestStep, _ substances: repeat TypedSubstance<each S>) {
    self.step = step
    states = (repeat ExpectedState(each substances, step.test))
    var subjects: [Subject] = []
    repeat subjects.append((each substances).subject)
    self.subjects = Lock(subjects)
    step.test.asserting.withLock { [subjects] in $0 += subjects }
  }

  deinit { endAsserting() }

  /// The changes from now on belong to another step.
  private func endAsserting() {
    let subjects = subjects.withLock { subjects in
      defer { subjects = [] }
      return subjects
    }
    step.test.asserting.withLock { asserting in
      for subject in subjects {
        if let place = asserting.lastIndex(where: { $0 === subject }) { asserting.remove(at: place) }
      }
    }
  }

  /// Ends the step: `expected` changes copies of the states into the expected states, which are compared with the
  /// actual states.
  func end(_ expected: (inout (repeat each S)) throws -> Void) rethrows {
    repeat (each states).readAgain()
    var values = (repeat (each states).state)
    try expected(&values)
    repeat (each states).state = each values
    var asserted: [AssertedState] = []
    repeat asserted.append((each states).asserted)
    endAsserting()
    step.end(asserted)
  }
}

/// An expected state without its type.
struct AssertedState {
  let subject: Subject
  /// Returns the message about an unexpected state. In an exhaustive test the result is also a message if the state has
  /// not changed at all. Otherwise the result is `nil`.
  let complaint: () -> String?
}
