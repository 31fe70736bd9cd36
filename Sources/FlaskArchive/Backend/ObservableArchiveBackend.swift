public import Foundation

/// A backend that can report writes of others: another process, or another backend of the same place.
///
/// Archives that processes share (`ArchiveGroup(…, sharing: true)`) need such a backend.
public protocol ObservableArchiveBackend: ArchiveBackend {
  /// Calls `onChange` after each change of the archive under a key, also of its journal, whatever made it, for as long
  /// as the observation is retained. Too many calls do no harm.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - onChange: called on any thread, never before this call returns. A call with an error is the last one.
  /// - Returns: the observation.
  /// - Throws: the reason why changes cannot be reported.
  func observe(
    _ key: String,
    onChange: @escaping @Sendable (ArchiveError?) -> Void
  ) throws -> ArchiveObservation

  /// Stores bytes in exchange for others, if those are stored now: no other process can write between the check and the
  /// write.
  ///
  /// - Parameters:
  ///   - data: the bytes.
  ///   - key: the key.
  ///   - expected: the bytes that must be stored; of a `JournalArchiveBackend`, the archive followed by its journal;
  ///     `nil` for none.
  /// - Returns: whether it was there. If not, nothing is changed.
  /// - Throws: when the bytes are not known to be durable.
  func save(_ data: Data, for key: String, replacing expected: Data?) throws -> Bool
}
