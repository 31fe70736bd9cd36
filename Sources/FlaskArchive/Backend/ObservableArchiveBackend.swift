public import Foundation

/// A backend that can report the writes of other processes, and of other backends of the same place.
///
/// Archives that several processes share (`ArchiveGroup(…, sharing: true)`) need an observable backend.
public protocol ObservableArchiveBackend: ArchiveBackend {
  /// Calls `onChange` after each change of the archive under a key, also of its journal, whatever made it, for as long
  /// as the observation is retained. Too many calls do no harm.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - onChange: called on any thread, never before `observe` returns. After a call with an error it is not called
  ///     again.
  /// - Returns: the observation.
  /// - Throws: the reason why changes cannot be reported.
  func observe(
    _ key: String,
    onChange: @escaping @Sendable (ArchiveError?) -> Void
  ) throws -> ArchiveObservation

  /// Replaces the stored bytes of a key by other bytes, if the stored bytes are the expected ones. No other process can
  /// write between the check and the write.
  ///
  /// - Parameters:
  ///   - data: the bytes.
  ///   - key: the key.
  ///   - expected: the bytes that must be stored, for a `JournalArchiveBackend` the archive followed by its journal;
  ///     `nil` if nothing must be stored.
  /// - Returns: whether the expected bytes were stored. If not, nothing is changed.
  /// - Throws: when the bytes are not known to be durable.
  func save(_ data: Data, for key: String, replacing expected: Data?) throws -> Bool
}
