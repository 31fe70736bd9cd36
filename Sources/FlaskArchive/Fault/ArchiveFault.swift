/// A failure of an archive that was handled: the kind, the key, and the remedy.
@_spi(Checks) public struct ArchiveFault: Error, Hashable, Sendable {
  /// The kind of failure.
  public enum Kind: Hashable, Sendable {
    /// An archive may exist, but could not be read now. The initial state is used, and the archive is not overwritten.
    case unreadable(ArchiveError)

    /// The archive could not be used. The initial state is used. `setAside` is the key of the copy of the archive's
    /// bytes. If it is `nil`, the bytes could not be copied; they stay under their own key and are not overwritten.
    case corrupt(ArchiveError, setAside: String?)

    /// The journal of the archive is damaged. The state before the damage is used; later saves are lost. `setAside` is
    /// the key of the copy: the bytes of the archive, followed by the bytes of its journal. It is `nil` if the bytes
    /// could not be copied.
    case journalDamaged(ArchiveError, setAside: String?)

    /// The state was not saved. Another attempt follows later, unless the present archive could not be read. After a
    /// state that cannot be encoded, the next attempt follows its next change.
    case notSaved(ArchiveError)

    /// The last state of an owner that was released was not saved, and is not tried again.
    case lost(ArchiveError)

    /// The archive could not be removed.
    case notRemoved(ArchiveError)

    /// Several live owners use one key in one place. The last commit wins. The last owner in the list has just been
    /// added.
    case sharedKey(owners: [ArchiveOwner])

    /// A warning of the backend, although no call failed.
    case warning(ArchiveError)
  }

  /// The key of the archive.
  public let key: String

  /// The owner of the archive, under the name that the archiver was given.
  public let owner: ArchiveOwner

  /// The kind of failure.
  public let kind: Kind
}

@_spi(Checks) extension ArchiveFault: CustomStringConvertible {
  /// The failure and its remedy, in two sentences.
  public var description: String {
    let (event, remedy) = sentences
    return "Archive \"\(key)\" of \(owner.name): \(event). \(remedy)."
  }

  private static let kept =
    "The initial state is used, and nothing is written over the archive until it is purged, or a start reads it"

  private var sentences: (event: String, remedy: String) {
    switch kind {
    case .unreadable(let error): ("it could not be read: \(error)", Self.kept)
    case .corrupt(let error, .some(let copy)):
      (
        "it could not be used: \(error)",
        "The initial state is used; the old bytes are kept under \"\(copy)\""
      )
    case .corrupt(let error, .none): ("it could not be used, nor quarantined: \(error)", Self.kept)
    case .journalDamaged(let error, let copy):
      (
        "what was saved last could not be used: \(error)",
        "The state before it is used; the old bytes are "
          + (copy.map { "kept under \"\($0)\"" } ?? "written over by the next save")
      )
    case .notSaved(.timedOut(let limit)):
      (
        "it was not saved within \(limit)",
        "The save continues as long as the process lives; until it ends the older archive is kept"
      )
    case .notSaved(.refused(let reason)):
      (
        "it was not saved: \(ArchiveError.refused(reason: reason))",
        "Purge the archive, or have a start read it"
      )
    case .notSaved(.partsRefused(let keys, let reason)):
      (
        "a part of it was not saved: \(ArchiveError.partsRefused(keys: keys, reason: reason))",
        "All others are saved; purge those, or have a start read them"
      )
    case .notSaved(let error):
      ("it was not saved: \(error)", "It is tried again with the next change or later")
    case .lost(let error):
      ("its last state was not saved: \(error)", "Its owner was released, so it is not tried again")
    case .notRemoved(let error): ("it was not removed: \(error)", "Purge it again")
    case .sharedKey(let owners):
      (
        "several have this key: \(owners.map(\.description).joined(separator: ", "))",
        "Give each a name of its own; the last commit is kept"
      )
    case .warning(let error): ("\(error)", "What is saved last is kept")
    }
  }
}
