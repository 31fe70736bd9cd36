/// A record in the form in which a trace stores it: only values that are stored without allocation. Names and texts are
/// made on request.
struct StoredRecord: Sendable {
  struct Value: Sendable {
    let subject: Subject
    let key: Int
    let old: String
    let new: String
  }

  var number = 0
  var identity: OperationIdentity?
  var submission: OperationSubmission?
  var begun: UInt64 = 0
  var ended: UInt64 = 0
  var isolation = OperationRecord.Isolation.nonisolated
  var outcome = OperationRecord.Outcome.unchanged
  var changes = ShortList<TracedOperation.Change>()
  var notifications = ShortList<TracedOperation.Notification>()
  var values: [Value] = []

  /// A copy of the record for a reader of the trace. Its lists have their own memory, since the trace overwrites the
  /// memory of its records.
  var copied: StoredRecord {
    var copy = self
    copy.changes = changes.copied
    copy.notifications = notifications.copied
    return copy
  }

  /// Overwrites the record with another operation, and reuses the memory of its lists.
  mutating func fill(_ operation: borrowing TracedOperation, _ rules: RedactionRules) {
    number = operation.number
    identity = operation.identity
    submission = operation.submission
    begun = operation.begun
    ended = operation.ended
    let isNone = operation.isolation == .none
    isolation = isNone ? .nonisolated : operation.isolation == .main ? .mainActor : .actor
    outcome = OperationRecord.Outcome(operation.outcome, rules)
    changes.replaceAll(by: operation.changes)
    notifications.replaceAll(by: operation.notifications)
  }

  /// Whether a key of a substance, or a key below it, has changed.
  func hasChanged(_ key: Int, of subject: Subject) -> Bool {
    changes.contains { change in
      change.subject === subject
        && (key < 64 ? change.firstKeys & (1 << UInt64(key)) != 0 : change.furtherKeys?.contains(key) == true)
    }
  }

  /// The record, for people.
  func record(_ rules: RedactionRules) -> OperationRecord? {
    guard let identity, let submission else { return nil }
    return OperationRecord(
      number: number,
      kind: identity.recordKind,
      name: identity.name(rules),
      place: OperationRecord.Place(identity.place),
      cause: submission.cause.map { OperationRecord.Cause($0, rules) },
      submitted: .nanoseconds(submission.time),
      begun: .nanoseconds(begun),
      ended: .nanoseconds(ended),
      isolation: isolation,
      outcome: outcome,
      changes: changes.map { change($0, rules) },
      notifications: notifications.map { notification($0, rules) },
      content: nil
    )
  }

  private func change(_ change: TracedOperation.Change, _ rules: RedactionRules) -> OperationRecord.Change {
    let keys = rules.keys(of: change.subject.layout)
    return OperationRecord.Change(
      substance: change.subject.name,
      keys: change.keyNumbers.map { key in
        let value = values.first { $0.subject === change.subject && $0.key == key }
        return OperationRecord.Key(
          path: keys.paths[key],
          old: value?.old,
          new: value?.new,
          isRedacted: keys.isSecret[key]
        )
      },
      isDerived: change.isDerived,
      number: change.subject.serial,
      patch: nil
    )
  }

  private func notification(_ notification: TracedOperation.Notification, _ rules: RedactionRules)
    -> OperationRecord.Notification
  {
    let subject = notification.change < changes.count ? changes[notification.change].subject : nil
    let key = notification.key < 0 ? nil : subject.map { rules.keys(of: $0.layout).paths[notification.key] }
    return OperationRecord.Notification(
      reactorOf: notification.ownerType.map { rules.name(of: $0) },
      substance: subject?.name ?? "",
      number: subject?.serial,
      key: key,
      duration: .nanoseconds(notification.duration),
      isLater: notification.isLater
    )
  }
}

extension TracedOperation.Change {
  /// The numbers of the changed keys.
  var keyNumbers: [Int] {
    var numbers: [Int] = []
    var bits = firstKeys
    while bits != 0 {
      numbers.append(bits.trailingZeroBitCount)
      bits &= bits - 1
    }
    return numbers + (furtherKeys ?? [])
  }
}

extension OperationIdentity {
  /// A travel is a replay, too.
  var recordKind: OperationRecord.Kind { OperationRecord.Kind(rawValue: kind.rawValue) ?? .replay }

  func name(_ rules: RedactionRules) -> String? { name ?? type.map { rules.name(of: $0) } }

  /// The operation and its source location, as text.
  func title(_ rules: RedactionRules) -> String {
    OperationRecord.title(recordKind, name: name(rules), at: OperationRecord.Place(place))
  }
}

extension OperationRecord.Outcome {
  init(_ outcome: FluxOutcome, _ rules: RedactionRules) {
    switch outcome {
    case .committed: self = .committed
    // No operation ends with `waiting`, which only a receipt reports.
    case .unchanged, .waiting: self = .unchanged
    case .aborted: self = .aborted
    case .purged: self = .purged
    case .gone: self = .gone
    case .cancelled: self = .cancelled
    case .failed(let error): self = .failed(error: rules.name(of: type(of: error)))
    }
  }
}

extension OperationRecord.Place {
  init?(_ place: SourcePlace) {
    guard let fileID = place.fileID else { return nil }
    self.init(fileID: fileID, line: place.line)
  }
}

extension OperationRecord.Cause {
  init(_ cause: OperationCause, _ rules: RedactionRules) {
    operation = cause.operation == 0 ? nil : cause.operation
    switch cause.kind {
    case .operation: kind = .operation
    case .reaction(let type): kind = .reaction(of: rules.name(of: type))
    case .observer: kind = .observer
    case .effect(let type, let place): kind = .effect(of: rules.name(of: type), at: .init(place))
    case .lock(let place): kind = .lock(at: .init(place))
    }
  }
}

extension TracedCommit {
  /// The requested values of the keys that have no keys below them, without secrets.
  borrowing func values(_ wanted: TracedValues, _ rules: RedactionRules) -> [StoredRecord.Value] {
    let keys = rules.keys(of: layout)
    let writer = ValueText(rules: rules)
    let subject = subject
    let layout = layout
    let old = old
    let new = new
    var values: [StoredRecord.Value] = []
    forEachKey { key in
      guard keys.isLeaf[key], !keys.isSecret[key], wanted.contains(key, of: layout) else { return }
      func text(_ state: UnsafeRawPointer) -> String {
        layout.value(of: key, in: state).map { writer.text(of: $0) } ?? "?"
      }
      values.append(StoredRecord.Value(subject: subject, key: key, old: text(old), new: text(new)))
    }
    return values
  }
}
