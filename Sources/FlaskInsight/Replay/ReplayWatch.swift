internal import FlaskPrimitives

/// An operation as the replay performed it.
struct ReplayedOperation: Sendable {
  let record: OperationRecord
  /// The substances whose states were mixed.
  let changed: Set<ObjectIdentifier>

  /// Whether the outcome of this replayed operation is equal to a recorded outcome. The type of the error is not
  /// compared if it is secret.
  func isAlike(_ outcome: OperationRecord.Outcome) -> Bool {
    if case .failed(RedactionRules.mark) = outcome, case .failed = record.outcome { return true }
    return outcome == record.outcome
  }
}

extension OperationRecord {
  /// The types of the owners of reactors that were notified.
  var notifiedReactors: Set<String> { Set(notifications.compactMap(\.reactorOf)) }
  /// The number of notified observers.
  var notifiedObservers: Int { notifications.count { $0.reactorOf == nil } }
}

/// Notes how the last operation went.
final class ReplayWatch: FluxTracer {
  let rules: RedactionRules
  private let noted = Lock<ReplayedOperation?>(nil)

  init(_ rules: RedactionRules) { self.rules = rules }

  var last: ReplayedOperation? { noted.withLock { $0 } }

  func didEnd(_ operation: borrowing TracedOperation) {
    switch operation.outcome {
    case .purged, .cancelled: return
    default: break
    }
    var stored = StoredRecord()
    stored.fill(operation, rules)
    guard let record = stored.record(rules) else { return }
    let mixed = stored.changes.filter { !$0.isDerived }.map { ObjectIdentifier($0.subject) }
    noted.withLock { $0 = ReplayedOperation(record: record, changed: Set(mixed)) }
  }
}

extension OperationIdentity {
  /// Whether this submitted operation may be a recorded one: kind and name are equal. If the recorded name is hidden,
  /// the kind decides alone.
  func matches(_ operation: OperationRecord, _ rules: RedactionRules) -> Bool {
    recordKind == operation.kind && (operation.name == RedactionRules.mark || name(rules) == operation.name)
  }
}

/// The environment of the flux of a replay: effects do not run, and time is paused.
final class ReplayEnvironment: EffectEnvironment {
  let clock: any Clock<Duration> = StandingClock()
  let executor: any TaskExecutor = globalConcurrentExecutor
  let archive: any ArchivePlace = MemoryArchive()
  let archiveScheduler: any ArchiveScheduler = ManualArchiveScheduler()

  func perform(_ effect: EffectContext, _ body: @Sendable () async -> Void) async {}
  func hold(_ action: PendingAction) { action.submit(nil) }
}

/// A paused clock: a sleeping task sleeps until it is cancelled.
private struct StandingClock: Clock {
  let now = ContinuousClock.now
  var minimumResolution: Duration { .nanoseconds(1) }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    while true { try await Task.sleep(for: .seconds(1 << 30)) }
  }
}

/// The types of the values that a replay decodes from a recording.
struct ReplayedTypes {
  private var actions: [String: any (FluxAction & Decodable).Type] = [:]
  private var payloads: [String: any (Decodable & Sendable).Type] = [:]

  init(actions: [any (FluxAction & Decodable).Type], payloads: [any (Decodable & Sendable).Type]) {
    let standard: [any (Decodable & Sendable).Type] = [
      Bool.self, Int.self, Int64.self, UInt.self, Double.self, Float.self, String.self, [Int].self,
      [Double].self, [String].self, [String: Int].self, [String: String].self,
    ]
    for type in actions { self.actions[StableTypeName.of(type)] = type }
    for type in standard + payloads { self.payloads[StableTypeName.of(type)] = type }
  }

  /// Decodes a recorded action.
  ///
  /// - Returns: the action; `nil` if its type is unknown, or if the recording does not have the whole value.
  func action(_ value: OperationRecord.Content.Value) -> (any Sendable)? {
    ReplayedTypes.decoded(value, as: actions[value.type])
  }

  /// Decodes a recorded payload.
  ///
  /// - Returns: the payload; `.some(nil)` if the mixer has none; `nil` if a type is unknown, or the recorded payload is
  ///   incomplete.
  func payload(_ recorded: [String: OperationRecord.Content.Value]?) -> FluxPayload?? {
    guard let recorded else { return .some(nil) }
    var values: FluxPayload = [:]
    for (name, value) in recorded {
      guard let decoded = ReplayedTypes.decoded(value, as: payloads[value.type]) else { return nil }
      values[name] = decoded
    }
    return values
  }

  private static func decoded(
    _ value: OperationRecord.Content.Value,
    as type: (any (Decodable & Sendable).Type)?
  ) -> (any Sendable)? {
    guard let type, let text = value.value?.originalText else { return nil }
    return try? SubstanceSerializer.state(type, from: text)
  }
}
