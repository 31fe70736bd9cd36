internal import FlaskPrimitives

/// One operation of a flux as it was performed, in a trace or in a recording.
public struct OperationRecord: Sendable, Identifiable {
  /// The kind of an operation.
  ///
  /// Later versions may add cases: a `switch` over it has an `@unknown default`.
  #if hasAttribute(nonexhaustive)
    @nonexhaustive
  #endif
  public enum Kind: String, Sendable, Hashable {
    /// A mix of a substance or a scope, a `Flask.mix` of several, or a transaction.
    case mix
    /// A chain of several closures.
    case chain
    /// A global mixer.
    case mixer
    /// A typed action.
    case action
    /// A substance returned to its captured state.
    case rollback
    /// A closure passed to the flux.
    case closure
    /// States arrived from a group that another process also writes, or from an archive that was read later.
    case arrival
    /// A derived value was computed again after a commit of another flux.
    case refresh
    /// States were overwritten by the states of a recording.
    case replay
  }

  /// How an operation ended.
  ///
  /// Later versions may add cases: a `switch` over it has an `@unknown default`.
  #if hasAttribute(nonexhaustive)
    @nonexhaustive
  #endif
  public enum Outcome: Sendable, Hashable {
    case committed, unchanged, aborted, purged, gone, cancelled
    /// A closure threw an error of a type, whose name is `‹redacted›` if it is secret.
    case failed(error: String)
  }

  /// Where the code was that performed it.
  ///
  /// Later versions may add cases: a `switch` over it has an `@unknown default`.
  #if hasAttribute(nonexhaustive)
    @nonexhaustive
  #endif
  public enum Isolation: String, Sendable, Hashable {
    case nonisolated, mainActor, actor
  }

  /// A line of code.
  public struct Place: Sendable, Hashable, CustomStringConvertible {
    /// The file, as `#fileID`.
    public let fileID: String
    /// The line in the file.
    public let line: UInt
    /// The file and the line, as compilers write them.
    public var description: String { "\(fileID):\(line)" }
  }

  /// The cause of an operation's submission.
  public struct Cause: Sendable, Hashable {
    /// The phase of the operation that is the cause.
    ///
    /// Later versions may add cases: a `switch` over it has an `@unknown default`.
    #if hasAttribute(nonexhaustive)
      @nonexhaustive
    #endif
    public enum Kind: Sendable, Hashable {
      /// The code of the operation itself.
      case operation
      /// A reaction of a reactor, with the type of the reactor's owner.
      case reaction(of: String)
      /// An observer.
      case observer
      /// An effect of a middleware, and where it was registered.
      case effect(of: String, at: Place?)
      /// Code that holds a lock: by `withLock`, or as the lock of a mixer. `at` is the source location where the lock
      /// was taken.
      case lock(at: Place?)
    }

    /// The number of the operation that caused this one directly; `nil` if no operation did.
    public let operation: Int?
    /// The phase of the operation that is the cause.
    public let kind: Kind
  }

  /// A key that changed.
  public struct Key: Sendable, Hashable {
    /// The path of the key, with dots between the keys of nested structs.
    public let path: String
    /// The value of the key before the operation, as text; `nil` if values were not requested, or if the key has keys
    /// below it.
    public let old: String?
    /// The value after, as text.
    public let new: String?
    /// `true` if the values are secret. They were not recorded then.
    public let isRedacted: Bool
  }

  /// The changes of one substance.
  public struct Change: Sendable, Hashable {
    /// The name of the substance.
    public let substance: String
    /// The changed keys of the substance, in the order of their declaration.
    public let keys: [Key]
    /// Whether the substance is a derived value.
    public let isDerived: Bool
    /// The number of the substance, which is unique in the process or in the recording, while names may be equal.
    public let number: Int
    /// The patch of the encoded state; `nil` in a trace, and if the state is not `Encodable`.
    let patch: JSONPatch?
    /// `true` if the change has a patch. A recording has patches of `Encodable` states, from which a replay computes
    /// each state.
    public var hasPatch: Bool { patch != nil }
  }

  /// The encoded action of the operation, or the encoded payload of its mixer, for a recording.
  enum Content: Sendable {
    /// An encoded value of a type.
    struct Value: Sendable {
      let type: String
      /// The encoded value; `nil` if it could not be encoded, or is secret.
      let value: ArchiveValue?
    }

    case action(Value)
    case mixer(type: String, payload: [String: Value]?)
  }

  /// A notification of one observer or reactor.
  public struct Notification: Sendable, Hashable {
    /// The type of the owner of a reactor; `nil` for an observer.
    public let reactorOf: String?
    /// The name of the substance.
    public let substance: String
    /// The number of the substance; `nil` if the number is not known.
    public let number: Int?
    /// The observed key; `nil` for an observer of the whole state, and for a reactor.
    public let key: String?
    /// How long it took.
    public let duration: Duration
    /// Whether the notification was delivered later, on the listener's isolation. In this case the duration is that of
    /// queueing the commit.
    public let isLater: Bool
  }

  /// The number of the operation. The operations of a flux are numbered in the order in which they begin, from the
  /// first traced operation on.
  public let number: Int
  /// The kind of the operation.
  public let kind: Kind
  /// The type of the action, or the name of the mixer.
  public let name: String?
  /// The source location of the code that submitted the operation; `nil` if unknown.
  public let place: Place?
  /// The cause of the submission; `nil` if the flux tracks no cause.
  public let cause: Cause?
  /// The time of the submission, on the system's clock that pauses while the machine sleeps. In a recording it is the
  /// clock of the machine that wrote the recording.
  public let submitted: Duration
  /// The time at which the operation began; the time of the submission unless it was queued.
  public let begun: Duration
  /// The time at which the last closure and the last synchronous reaction had returned.
  public let ended: Duration
  /// Where the code was that performed it.
  public let isolation: Isolation
  /// How it ended.
  public let outcome: Outcome
  /// The changes: one entry for each changed substance, in the order in which the substances joined the operation.
  public let changes: [Change]
  /// The notifications, in their order.
  public let notifications: [Notification]
  let content: Content?

  /// The number.
  public var id: Int { number }
  /// How long it waited.
  public var waited: Duration { begun - submitted }
  /// How long it took, reactions included.
  public var duration: Duration { ended - begun }

  /// The operation and its source location, as text: `action AddItem at Cart/List.swift:12`.
  public var title: String { OperationRecord.title(kind, name: name, at: place) }

  static func title(_ kind: Kind, name: String?, at place: Place?) -> String {
    let what: String =
      switch kind {
      case .arrival: "arrival from an archive"
      case .refresh: "derived value"
      default: kind.rawValue
      }
    return what + (name.map { " \($0)" } ?? "") + (place.map { " at \($0)" } ?? "")
  }
}

extension OperationRecord: CustomStringConvertible {
  /// One line: number, kind, changes, outcome.
  public var description: String {
    let changes = changes.map { change in
      let keys = change.keys.map { key -> String in
        if key.isRedacted { return "\(key.path) \(RedactionRules.mark)" }
        guard let old = key.old, let new = key.new else { return key.path }
        return "\(key.path) \(old) → \(new)"
      }
      return "\(change.substance): \(keys.joined(separator: ", "))"
    }
    let what = changes.isEmpty ? "" : " (\(changes.joined(separator: "; ")))"
    return "#\(number) \(title), \(outcome)\(what)"
  }
}

extension OperationRecord.Outcome: CustomStringConvertible {
  /// The name of the enum case, with the type of the associated error.
  public var description: String {
    switch self {
    case .committed: "committed"
    case .unchanged: "unchanged"
    case .aborted: "aborted"
    case .purged: "purged"
    case .gone: "gone"
    case .cancelled: "cancelled"
    case .failed(let error): "failed(\(error))"
    }
  }
}
