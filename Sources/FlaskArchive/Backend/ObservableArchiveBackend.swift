public import Foundation

/// A backend that can tell when somebody else has written: another process, or another backend of the same place.
///
/// What is shared between processes (`ArchiveGroup(…, sharing: true)`) is kept in one of these.
public protocol ObservableArchiveBackend: ArchiveBackend {
  /// Calls `onChange` after each change of what is kept under a key, also of its journal, whoever made it, for as long
  /// as the observation is held. Too many calls do no harm.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - onChange: called on any thread, never before this call returns. With an error it is the last call: nothing is
  ///     told any more.
  /// - Returns: the observation.
  /// - Throws: why nothing can be told.
  func observe(
    _ key: String,
    onChange: @escaping @Sendable (ArchiveError?) -> Void
  ) throws -> ArchiveObservation

  /// Keeps bytes in place of others, if those are what is kept: no other process comes between the look and the write.
  ///
  /// - Parameters:
  ///   - data: the bytes.
  ///   - key: the key.
  ///   - expected: what must be there; of a `JournalArchiveBackend`, the archive followed by its journal; `nil` for
  ///     nothing.
  /// - Returns: whether it was there. If not, nothing is changed.
  /// - Throws: when the bytes are not known to be durable.
  func save(_ data: Data, for key: String, replacing expected: Data?) throws -> Bool
}
