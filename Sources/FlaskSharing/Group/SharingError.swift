/// The reason why a shared group could not be saved or read.
///
/// Later versions may add cases: a `switch` over it has an `@unknown default`.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum SharingError: Error, Sendable, CustomStringConvertible {
  /// The database can't be reached, or its answer to a commit was lost. What is pending stays, and is saved later.
  case offline(reason: String)
  /// The answer to the commit of a `transact` was lost: it may have been performed. Ask again with `once:`.
  case unknownOutcome(reason: String)
  /// The store refuses the group for good.
  case refused(reason: String)
  /// A key of `once:`, or the name of a lease, can't be stored. Nothing was written.
  case invalidKey(reason: String)
  /// The place belongs to another history of the group: another database, or one that was restored while it was waited
  /// for.
  case otherHistory
  /// A newer version of the program has written the group. This one continues to read it, and writes nothing.
  case newerVersion(found: Int, known: Int)
  /// These rows were not saved; all others were. They stay pending.
  case rowsNotSaved([RecordKey: ArchiveError])
  /// The part can't be read. It stays as it is in the database.
  case unreadable(part: String, ArchiveError)
  /// The group was made to read only.
  case readOnly
  /// It took longer than the given time, and is still in progress.
  case timedOut(after: Duration)
  /// Another process has the lease, or may have it soon, since it could not be renewed. A `transact` has written
  /// nothing.
  case leaseLost(name: String)
  /// A transaction named a substance that is no member of the group, or one that another flux has.
  case notAMember(name: String)

  /// The error in one sentence.
  public var description: String {
    switch self {
    case .offline(let reason): reason
    case .unknownOutcome(let reason): "it is not known whether the transaction was performed: \(reason)"
    case .refused(let reason), .invalidKey(let reason): reason
    case .otherHistory:
      "the place belongs to another history of the group: its database was restored, or is another one"
    case .newerVersion(let found, let known):
      "version \(found) of the program has written the group, and this one is version \(known), so it writes nothing"
    case .rowsNotSaved(let rows):
      "rows were not saved: "
        + rows.map { "\($0.key.part) \($0.key.path) \($0.key.id): \($0.value)" }.sorted().joined(
          separator: "; "
        )
    case .unreadable(let part, let error): "the part \(part) can't be read: \(error)"
    case .readOnly: "the group was made to read only"
    case .timedOut(let limit): "it took longer than \(limit)"
    case .leaseLost(let name): "the lease \(name) was lost to another process, or could not be renewed"
    case .notAMember(let name): "\(name) is no member of the group"
    }
  }
}

extension SharingError {
  init(_ error: any Error) {
    switch error {
    case let error as SharingError: self = error
    case RecordStoreError.refused(let reason): self = .refused(reason: reason)
    case let error as RecordStoreError: self = .offline(reason: "\(error)")
    default: self = .refused(reason: "\(error)")
    }
  }

  /// Whether another attempt may succeed without a change here.
  var isTemporary: Bool { if case .offline = self { true } else { false } }

  var phase: SharedStatus.Phase {
    isTemporary ? .offline(reason: description) : .refused(reason: description)
  }
}
