/// The result of reading an archive.
public enum ArchiveReading<State: Sendable>: Sendable {
  /// There is no archive, so the initial state is the right state.
  case absent

  /// The state of the archive.
  case state(State)

  /// An archive may exist, but it cannot be read now. Nothing may be written over it.
  case unreadable(ArchiveError)

  /// The archive cannot be used. Its bytes are kept under the key `setAside`, and removed from the archive's own; or
  /// they could not be copied, `setAside` is `nil`, and they must not be overwritten.
  case corrupt(ArchiveError, setAside: String?)
}
