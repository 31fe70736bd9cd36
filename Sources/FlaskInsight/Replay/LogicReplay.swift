internal import FlaskArchive
@_spi(FlaskInternals) internal import FlaskCore
@_spi(FlaskInternals) internal import FlaskDiff

/// How a replay of the logic went.
public struct ReplayReport: Sendable, CustomStringConvertible {
  /// The first operation that went another way than it was recorded.
  public struct Difference: Sendable, CustomStringConvertible {
    /// Its number in the recording; of one that was not recorded, that of the last one before it.
    public let number: Int
    /// What it was, and where.
    public let title: String
    /// What differs: lines with `-` are as recorded, those with `+` as they are now.
    public let lines: [String]

    /// Operation and lines.
    public var description: String { (["operation \(number), \(title):"] + lines).joined(separator: "\n  ") }
  }

  /// How many operations were performed again: actions, mixers, and what these and the reactions to them submitted.
  public internal(set) var performed = 0
  /// How many could not be performed again, so that what they changed was taken from the recording: mixes from
  /// outside, and actions and mixers of which the recording does not have all.
  public internal(set) var applied = 0
  /// The first operation that went another way; `nil` if all went as they were recorded.
  public internal(set) var difference: Difference?

  /// One line, and those of the difference.
  public var description: String {
    let what = "\(performed) operations performed again, \(applied) taken from the recording"
    return what + (difference.map { "\n\($0)" } ?? ", no difference")
  }
}

extension Recording {
  /// Performs the recorded actions and mixers again, on fresh substances, and compares what each operation changes.
  ///
  /// ```swift
  /// let report = try await recording.replay(actions: [AddItem.self]) {
  ///   let cart = CartStore()
  ///   Flask.dispatcher.register(workers: [cart])
  ///   return [cart]
  /// }
  /// ```
  /// What comes from outside is taken from the recording: actions and mixers are sent again if they were recorded with
  /// their values; a mix, which is a closure, is taken as what it changed. So are those of effects: effects do not run,
  /// and what they dispatched comes from the recording. What operations and reactions submit is not sent: the code under
  /// test has to submit it again, and a difference says if it does not. If nobody is there any more who was told, as
  /// the screens of the app in a test, what they submitted counts as coming from outside.
  ///
  /// The flux is one of its own, without archives and with a clock that stands still. It ends at the first difference.
  ///
  /// - Parameters:
  ///   - actions: the types of the actions that are to be sent; those of mixers are found by themselves, and so are
  ///     payloads of types of the standard library.
  ///   - payloads: other types of values in payloads.
  ///   - isolation: where the caller is; leave it out.
  ///   - make: makes the substances, in that flux, and returns those that are to be compared.
  /// - Throws: what `make` throws, or a `ReplayError`.
  public func replay(
    actions: [any (FluxAction & Decodable).Type] = [],
    payloads: [any (Decodable & Sendable).Type] = [],
    isolation: isolated (any Actor)? = #isolation,
    making make: () throws -> [AnySubstance]
  ) async throws -> ReplayReport {
    let flux = Flux(surroundings: ReplaySurroundings())
    let substances = try Flux.$current.withValue(flux) { try make() }
    defer { flux.dispatcher.unregisterAll() }
    let types = ReplayedTypes(actions: actions, payloads: payloads)
    let replay = try LogicReplay(self, substances, in: flux, types)
    return try await replay.run(isolation: isolation)
  }

  /// The same in a flux that exists, whose effects do not run.
  package func replay(
    on substances: [AnySubstance],
    in flux: Flux,
    actions: [any (FluxAction & Decodable).Type],
    payloads: [any (Decodable & Sendable).Type],
    isolation: isolated (any Actor)?
  ) async throws(ReplayError) -> ReplayReport {
    let types = ReplayedTypes(actions: actions, payloads: payloads)
    let replay = try LogicReplay(self, substances, in: flux, types)
    return try await replay.run(isolation: isolation)
  }
}

/// Goes through a recording, operation by operation. Local to one task.
final class LogicReplay {
  /// How an operation came to be performed.
  private enum Way {
    /// By its own code.
    case performed
    /// As what it changed.
    case applied
    /// Not at all: it changes nothing.
    case skipped
  }

  private let recording: Recording
  private let flux: Flux
  private let substances: ReplayedSubstances
  private let types: ReplayedTypes
  private let stepper: FluxStepper
  private let watch = ReplayWatch()
  private var states: RecordedStates
  private var report = ReplayReport()
  /// The operations that have been passed, by number.
  private var recorded: [Int: RecordedOperation] = [:]
  /// What they were here.
  private var done: [Int: ReplayedOperation] = [:]

  init(_ recording: Recording, _ substances: [AnySubstance], in flux: Flux, _ types: ReplayedTypes)
    throws(ReplayError)
  {
    self.recording = recording
    self.flux = flux
    self.types = types
    self.substances = try ReplayedSubstances(recording, substances)
    states = RecordedStates(recording)
    flux.tracing.add(watch)
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
        lines: ["+ \(left.identity.replayTitle) was submitted, and not in the recording"]
      )
    }
    return report
  }

  private func end() {
    flux.purgeFluxQueue()
    flux.tracing.remove(watch)
  }

  // MARK: One operation

  private func perform(
    _ operation: RecordedOperation,
    _ changed: Set<Int>,
    _ isolation: isolated (any Actor)?
  ) async throws(ReplayError) {
    if operation.outcome == .purged {
      flux.dropFirstWaiting { $0.matches(operation) }
      return
    }
    recorded[operation.number] = operation
    let way: Way
    switch await submitAgain(operation, isolation) {
    case .performed: way = .performed
    case .missing(let lines): return differ(operation, lines)
    case .outside: way = try send(operation, changed, isolation)
    }
    if way == .skipped { return }
    guard let replayed = watch.last else { return }
    done[operation.number] = replayed
    if way == .performed { report.performed += 1 } else { report.applied += 1 }
    try compare(operation, changed, replayed, isPerformed: way == .performed)
  }

  private enum Again {
    case performed
    /// The code under test has not submitted it.
    case missing([String])
    /// Nobody here would submit it.
    case outside
  }

  /// Performs what was submitted by an operation, if the code under test has submitted it, too.
  private func submitAgain(_ operation: RecordedOperation, _ isolation: isolated (any Actor)?) async -> Again
  {
    guard let number = operation.cause?.operation, let way = operation.cause?.way, let cause = done[number]
    else {
      return .outside
    }
    switch way {
    case .effect, .lock: return .outside
    case .operation, .reaction, .observer: break
    }
    // What the main actor is told comes before this, since it was asked for before.
    if stepper.waiting == nil { await MainActor.run {} }
    let waiting = stepper.waiting
    if let waiting, waiting.identity.matches(operation), waiting.cause?.operation == cause.number {
      _ = stepper.performWaiting(isolation: isolation)
      return .performed
    }
    if !isToBeSubmitted(way, by: cause, number) { return .outside }
    return .missing([
      "- \(operation.title)", "+ \(waiting?.identity.replayTitle ?? "nothing was submitted")",
    ])
  }

  private func isToBeSubmitted(_ way: OperationRecord.Cause.Way, by cause: ReplayedOperation, _ number: Int)
    -> Bool
  {
    switch way {
    case .operation: cause.isPerformed
    case .reaction(let owner): cause.toldReactors.contains(owner)
    case .observer:
      // Which one it was is not recorded; if as many are told here, it is one of them.
      cause.toldObservers >= (recorded[number]?.toldObservers ?? .max)
    case .effect, .lock: false
    }
  }

  /// Performs what came from outside.
  private func send(
    _ operation: RecordedOperation,
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
          of: { RecordedType.name(of: $0) == type },
          payload: payload.values,
          isolation: isolation
        )
      {
        return .performed
      }
    case nil: break
    }
    // What follows from others follows here, too.
    let mixed = Set(operation.changes.filter { !$0.isDerived }.map(\.substance))
    if mixed.isEmpty || operation.kind == .refresh { return .skipped }
    try write(changed.intersection(mixed), isolation)
    return .applied
  }

  /// Writes the states of the recording over those of substances.
  ///
  /// - Parameter isSilent: whether nobody is to react to it.
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
      at: SourceLocation(#fileID, #line)
    )
    _ = mix.submitExclusively(isolation: isolation) { for state in decoded { state.write() } }
    if isSilent, let number = watch.last?.number { flux.dropWaiting(causedBy: [number]) }
  }

  // MARK: Comparing

  private func compare(
    _ operation: RecordedOperation,
    _ changed: Set<Int>,
    _ replayed: ReplayedOperation,
    isPerformed: Bool
  ) throws(ReplayError) {
    var lines: [String] = []
    if isPerformed && "\(operation.outcome)" != replayed.outcome && !replayed.isAlike(operation.outcome) {
      lines += ["- \(operation.outcome)", "+ \(replayed.outcome)"]
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

  /// What differs between the state of a substance and a recorded one.
  private func difference(_ substance: AnySubstance, _ state: ArchiveValue) throws(ReplayError) -> [String] {
    // Most are alike, digit for digit.
    if StateToWrite.encoded(substance) == state { return [] }
    let recorded = try StateToWrite(state, for: substance)
    func compare<State: Sendable>(_ recorded: State) -> [String] {
      substance.withPresentState { present in
        let patch = StatePatch(from: recorded, to: present.assumingMemoryBound(to: State.self).pointee)
        return patch.description.split(separator: "\n").map(String.init)
      }
    }
    return compare(recorded.value)
  }

  private func differ(_ operation: RecordedOperation, _ lines: [String]) {
    report.difference = ReplayReport.Difference(
      number: operation.number,
      title: operation.title,
      lines: lines
    )
  }
}
