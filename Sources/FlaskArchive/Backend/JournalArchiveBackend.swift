public import Foundation

/// A backend that can append changes to an archive instead of saving it from scratch.
///
/// A state with large `Entities` is saved as a whole archive first. Each later save appends a few bytes to the
/// *journal* of the archive. Once the journal has grown as large as the archive, the whole is saved, and an empty
/// journal is started. The backend does not interpret the content of a journal. A backend that does not adopt this
/// protocol gets the whole archive each time.
///
/// An archive and its journal belong together: `save(_:for:)` and `remove(_:)` also end the journal, in the same step.
/// A process that is killed at any moment leaves the old archive with its journal, or the new archive without a
/// journal.
public protocol JournalArchiveBackend: ArchiveBackend {
  /// Reads the bytes of a key and the bytes of its journal as a consistent snapshot.
  ///
  /// - Parameter key: the key.
  /// - Returns: the bytes of the last save, and all bytes appended since as one piece; `nil` if the key has no bytes.
  /// - Throws: as `load(_:)` does.
  func loadWithJournal(_ key: String) throws -> (archive: Data, journal: Data)?

  /// Appends bytes to the journal of a key, if archive and journal are as the caller knows them. Returns once the bytes
  /// are as durable as the backend can make them. No other process can write between the check and the append.
  ///
  /// - Parameters:
  ///   - data: the bytes to append; empty data only checks that archive and journal have not changed.
  ///   - key: the key.
  ///   - beginning: the expected first bytes of the archive: enough to distinguish it from any other.
  ///   - length: how many bytes the journal must have.
  /// - Returns: whether archive and journal were as the caller knows them. If not, nothing is changed.
  /// - Throws: when the bytes are not known to be durable. Then none, some or all of the bytes may have been appended.
  func append(_ data: Data, toJournalOf key: String, beginning: Data, length: Int) throws -> Bool
}
