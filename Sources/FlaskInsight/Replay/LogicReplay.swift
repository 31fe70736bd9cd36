/// Replays a recording, operation by operation. Only one task may use it.
final class LogicReplay {
  /// How an operation was performed in the replay.
  private enum Way {
    /// By its own code.
    case performed
    /// Its recorded changes are applied.
    case applied
    /// The replay skips the operation, since it has no changes, or since the code under test has not submitted it. Only
    /// the second case is reported as a difference.
    case skipped
  }

  private let recording: Recording
  private let flux: Flux
  private let substances: ReplayedSubstances
  private let types: ReplayedTypes
  private let stepper: FluxStepper
  private let watch: ReplayWatch
  private var states: RecordedStates
  private var report = ReplayReport()
  /// The recorded operations that the replay has processed, by number.
  private var recorded: [Int: OperationRecord] = [:]
  /// The operations as the replay has performed them, by their numbers in the recording.
  private var done: [Int: ReplayedOperation] = [:]

  init(
    _ recording: Recording,
    _ substances: [AnySubstance],
    in flux: Flux,
    _ types: ReplayedTypes,
    redacting: [Redaction]
  ) throws(ReplayError) {
    watch = ReplayWatch(RedactionRules(redacting))
    self.recording = recording
    self.flux = flux
    self.types = types
    self.substances = try ReplayedSubstances(recording, substances)
    states = RecordedStates(recording)
    flux.tracers.add(watch)
    stepper = FluxStepper(flux)
  }

  func run(isolation: isolated (any Actor)?) async throws(ReplayError) -> ReplayReport {
    defer { end() }
    try write(Set(substances.pairs.map(\.recorded.number)), isSilent: true, isolation)
    while report.difference == nil {
      var changed: Set<Int> = []
      guard let step = try states.forward(&changed) else { break }
      switch step {
      case .gap: try write(changed, isSilent: true, isolation)
      case .operation(let index): try await perform(recording.operations[index], changed, isolation)
      }
    }
    if report.difference == nil, recording.isComplete, let left = stepper.waiting {
      report.difference = ReplayReport.Difference(
        number: recording.operations.last?.number ?? 0,
        title: recording.operations.last?.title ?? "none",
        lines: ["+ \(left.identity.title(watch.rules)) was submitted, and not in the recording"]
      )
    }
    return report
  }

  private func end() {
    flux.purgeFluxQueue()
    flux.tracers.remove(watch)
  }

  // MARK: One operation

  private func perform(
    _ operation: OperationRecord,
    _ changed: Set<Int>,
    _ isolation: isolated (any Actor)?
  ) async throws(ReplayError) {
    if [.purged, .cancelled].contains(operation.outcome) {
      _ = flux.dropFirstWaiting { [watch] in $0.identity.matches(operation, watch.rules) }
      return
    }
    recorded[operation.number] = operation
    let isPerformed: Bool
    var way = await submitAgain(operation, isolation)
    if way == nil { way = try send(operation, changed, isolation) }
    switch way {
    case .performed: isPerformed = true
    case .applied: isPerformed = false
    case .skipped, nil: return
    }
    guard let replayed = watch.last else { return }
    done[operation.number] = replayed
    if isPerformed { report.performed += 1 } else { report.applied += 1 }
    try compare(operation, changed, replayed, isPerformed: isPerformed)
  }

  /// Performs an operation that another operation caused, if the code under test has submitted it. The result is `nil`
  /// if the code cannot have submitted it.
  private func submitAgain(_ operation: OperationRecord, _ isolation: isolated (any Actor)?) async -> Way? {
    guard let number = operation.cause?.operation, let way = operation.cause?.kind, let cause = done[number]
    else { return nil }
    switch way {
    case .effect, .lock: return nil
    case .operation, .reaction, .observer: break
    }
    // Waits for handlers on the main actor, which may submit the operation. They were enqueued before this call, so
    // they have run when it returns.
    if stepper.waiting == nil { await MainActor.run {} }
    let waiting = stepper.waiting
    if let waiting, waiting.identity.matches(operation, watch.rules),
      waiting.cause?.operation == cause.record.number
    {
      _ = stepper.performWaiting(isolation: isolation)
      return .performed
    }
    if !isToBeSubmitted(way, by: cause, number) { return nil }
    // If the recorded name was hidden, the submitted name is hidden, too: it may be the same secret name.
    let title = operation.name == RedactionRules.mark ? "another operation" : nil
    let submitted = waiting.map { title ?? $0.identity.title(watch.rules) } ?? "nothing was submitted"
    let lines = ["- \(operation.title)", "+ \(submitted)"]
    differ(operation, lines)
    return .skipped
  }

  private func isToBeSubmitted(_ way: OperationRecord.Cause.Kind, by cause: ReplayedOperation, _ number: Int)
    -> Bool
  {
    switch way {
    case .operation: cause.record.kind != .replay
    case .reaction(let owner): owner == RedactionRules.mark || cause.record.notifiedReactors.contains(owner)
    case .observer:
      // The recording does not name the observer that submitted the operation. If the replay notified at least as many
      // observers as the recording, the observer counts as one of them, and has to submit the operation.
      cause.record.notifiedObservers >= (recorded[number]?.notifiedObservers ?? .max)
    case .effect, .lock: false
    }
  }

  /// Performs an operation that was submitted from outside of the replayed code.
  private func send(
    _ operation: OperationRecord,
    _ changed: Set<Int>,
    _ isolation: isolated (any Actor)?
  ) throws(ReplayError) -> Way {
    switch operation.content {
    case .action(let value):
      if let action = types.action(value), stepper.perform(action: action, isolation: isolation) {
        return .performed
      }
    case .mixer(let type, let payload):
      if let payload = types.payload(payload), let name = operation.name,
        stepper.perform(
          mixer: name,
          of: { StableTypeName.of($0) == type },
          payload: payload,
          isolation: isolation
        )
      {
        return .performed
      }
    case nil: break
    }
    // A derived value follows from other changes in the replay too, so it is not written.
    let mixed = Set(operation.changes.filter { !$0.isDerived }.map(\.number))
    if mixed.isEmpty || operation.kind == .refresh { return .skipped }
    try write(changed.intersection(mixed), isolation)
    return .applied
  }

  /// Overwrites the states of substances with the states of the recording.
  ///
  /// - Parameter isSilent: whether the operations that reactions submit are dropped.
  private func write(
    _ numbers: Set<Int>,
    isSilent: Bool = false,
    _ isolation: isolated (any Actor)?
  ) throws(ReplayError) {
    let known = substances.pairs.map(\.recorded.number).filter { states.states[$0] != nil }
    let decoded = try substances.decoded(states.states, of: numbers.intersection(known))
    let mix = ReplayMix(
      of: decoded.map(\.substance),
      in: flux,
      at: SourcePlace(#fileID, #line)
    )
    _ = mix.submitExclusively(isolation: isolation) { for state in decoded { state.write() } }
    guard isSilent, let number = watch.last?.record.number else { return }
    flux.dropWaiting(causedBy: [number])
    // `dropWaiting` keeps operations that Flask itself has submitted, such as the refresh of a derived value. They are
    // performed here, since the recording does not request them.
    while let waiting = stepper.waiting, waiting.identity.origin != .client,
      waiting.cause?.operation == number
    {
      _ = stepper.performWaiting(isolation: isolation)
    }
  }

  // MARK: Comparing

  private func compare(
    _ operation: OperationRecord,
    _ changed: Set<Int>,
    _ replayed: ReplayedOperation,
    isPerformed: Bool
  ) throws(ReplayError) {
    var lines: [String] = []
    if isPerformed && !replayed.isAlike(operation.outcome) {
      lines += ["- \(operation.outcome)", "+ \(replayed.record.outcome)"]
    }
    for pair in substances.pairs {
      let number = pair.recorded.number
      guard changed.contains(number) || replayed.changed.contains(ObjectIdentifier(pair.substance.subject)),
        let state = states.states[number]
      else { continue }
      let found = try difference(pair.substance, state)
      if !found.isEmpty { lines += ["\(pair.recorded.name):"] + found.map { "  " + $0 } }
    }
    if !lines.isEmpty { differ(operation, lines) }
  }

  /// The lines that describe how the state of a substance differs from a recorded state, without secrets.
  private func difference(_ substance: AnySubstance, _ state: ArchiveValue) throws(ReplayError) -> [String] {
    // Fast path: in most cases the encoded states are equal.
    if StateToWrite.encoded(substance) == state { return [] }
    let recorded = try StateToWrite(state, for: substance)
    // The elements of a set, and the entries of a dictionary, may be encoded in another order.
    if recorded.isPresent { return [] }
    let subject = RecordedSubject(number: 0, subject: substance.subject)
    let old = StateToRecord(subject: subject, value: recorded.value as? any Encodable)
    let new = substance.withPresentState { StateToRecord(subject, at: $0) }
    guard let changes = try? old.changes(to: new, watch.rules),
      let patch = try? SubstanceSerializer.data(from: EncodedPatch(changes: changes, rules: watch.rules)),
      let operations = (try? ArchiveValue(recorded: Array(patch)))?.array
    else { return ["+ a state that can't be encoded"] }
    return operations.flatMap { operation in
      let path = (operation["path"]?.string ?? "").dropFirst().replacing("/", with: ".")
      let key = path.replacing("~1", with: "/").replacing("~0", with: "~")
      return [("-", operation["old"]), ("+", operation["value"])].compactMap { sign, value in
        value.map { "\(sign) \(key.isEmpty ? "" : key + ": ")\(String(decoding: $0.text, as: UTF8.self))" }
      }
    }
  }

  private func differ(_ operation: OperationRecord, _ lines: [String]) {
    report.difference = ReplayReport.Difference(
      number: operation.number,
      title: operation.title,
      lines: lines
    )
  }
}
