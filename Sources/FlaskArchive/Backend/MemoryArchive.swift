internal import FlaskPrimitives
public import Foundation

/// Keeps archives in memory, for as long as the process lives: for tests and previews.
///
/// Copies of a `MemoryArchive` share their storage. Any thread may use the archive.
public struct MemoryArchive: JournalArchiveBackend {
  // Replaced or removed bytes are released only after the lock is unlocked, since `Data` may have a deallocator of
  // client code.
  private let contents = Lock([String: Entry]())

  private struct Entry: Sendable {
    let archive: Data
    var journal = Data()
  }

  /// Makes an empty archive that shares no storage with another archive.
  public init() {}

  /// The address of the storage, so that no two archives in use have the same location.
  public var location: String { "memory:\(UInt(bitPattern: ObjectIdentifier(contents)))" }

  /// Reads the bytes kept under a key.
  ///
  /// - Parameter key: the key.
  /// - Returns: the bytes, or `nil` if the key has no bytes.
  public func load(_ key: String) -> Data? {
    contents.withLock { $0[key]?.archive }
  }

  /// Keeps bytes under a key until the process ends.
  ///
  /// - Parameters:
  ///   - data: the bytes.
  ///   - key: the key.
  public func save(_ data: Data, for key: String) {
    contents.withLockReleasing { $0.updateValue(Entry(archive: data), forKey: key) }
  }

  /// Removes the bytes under a key.
  ///
  /// - Parameter key: the key.
  public func remove(_ key: String) {
    contents.withLockReleasing { $0.removeValue(forKey: key) }
  }

  /// Lists the keys that begin with a prefix, sorted as Swift strings.
  ///
  /// - Parameter prefix: the prefix of the keys.
  /// - Returns: the keys.
  /// - Complexity: O(*n* log *n*) in the number of keys.
  public func keys(withPrefix prefix: String) -> [String] {
    contents.withLock { $0.keys.filter { $0.hasPrefix(prefix) }.sorted() }
  }

  /// Reads the bytes of a key and the bytes of its journal.
  ///
  /// - Parameter key: the key.
  /// - Returns: archive and journal, or `nil` if the key has no bytes.
  public func loadWithJournal(_ key: String) -> (archive: Data, journal: Data)? {
    contents.withLock { contents in contents[key].map { ($0.archive, $0.journal) } }
  }

  /// Appends bytes to the journal of a key, if archive and journal are as the caller knows them.
  ///
  /// - Parameters:
  ///   - data: the bytes.
  ///   - key: the key.
  ///   - beginning: the expected first bytes of the key's archive.
  ///   - length: how many bytes the journal must have.
  /// - Returns: whether archive and journal were as the caller knows them.
  public func append(_ data: Data, toJournalOf key: String, beginning: Data, length: Int) -> Bool {
    contents.withLock { contents in
      guard let entry = contents[key], entry.archive.starts(with: beginning), entry.journal.count == length
      else { return false }
      contents[key]?.journal.append(data)
      return true
    }
  }
}
