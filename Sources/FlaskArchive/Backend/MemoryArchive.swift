internal import FlaskPrimitives
public import Foundation

/// Keeps archives in memory, for as long as the process lives: for tests and previews.
///
/// Copies of a `MemoryArchive` share their storage. Any thread may use the archive.
public struct MemoryArchive: ObservableArchiveBackend, JournalArchiveBackend {
  // Replaced or removed bytes are released only after the lock is unlocked, since `Data` may have a deallocator of
  // client code.
  private let contents = Lock([String: Entry]())
  private let observers = Lock(Observers())

  private struct Entry: Sendable {
    let archive: Data
    var journal = Data()
  }

  private struct Observers {
    var count = 0
    var all: [Int: (key: String, onChange: @Sendable (ArchiveError?) -> Void)] = [:]
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
    tell(of: key)
  }

  /// Removes the bytes under a key.
  ///
  /// - Parameter key: the key.
  public func remove(_ key: String) {
    contents.withLockReleasing { $0.removeValue(forKey: key) }
    tell(of: key)
  }

  /// Lists the keys that begin with a prefix, sorted as Swift strings.
  ///
  /// - Parameter prefix: the prefix of the keys.
  /// - Returns: the keys.
  /// - Complexity: O(*n* log *n*) in the number of keys.
  public func keys(withPrefix prefix: String) -> [String] {
    contents.withLock { $0.keys.filter { $0.hasPrefix(prefix) }.sorted() }
  }

  /// Calls `onChange` after each change of a key's bytes by any copy of this archive, on the thread that makes the
  /// change.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - onChange: the closure to call.
  /// - Returns: the observation.
  public func observe(
    _ key: String,
    onChange: @escaping @Sendable (ArchiveError?) -> Void
  ) -> ArchiveObservation {
    let number = observers.withLock { observers in
      observers.count += 1
      observers.all[observers.count] = (key, onChange)
      return observers.count
    }
    return ArchiveObservation { [observers] in
      observers.withLockReleasing { $0.all.removeValue(forKey: number) }
    }
  }

  /// Replaces the stored bytes of a key by other bytes, if the stored bytes are the expected ones.
  ///
  /// - Parameters:
  ///   - data: the bytes.
  ///   - key: the key.
  ///   - expected: the archive that must be stored, followed by its journal; `nil` if nothing must be stored.
  /// - Returns: whether the expected bytes were stored.
  public func save(_ data: Data, for key: String, replacing expected: Data?) -> Bool {
    let (isSaved, replaced) = contents.withLock { contents -> (Bool, Entry?) in
      guard contents[key].map({ $0.archive + $0.journal }) == expected else { return (false, nil) }
      return (true, contents.updateValue(Entry(archive: data), forKey: key))
    }
    withExtendedLifetime(replaced) {}
    if isSaved { tell(of: key) }
    return isSaved
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
    let isAppended = contents.withLock { contents in
      guard let entry = contents[key], entry.archive.starts(with: beginning), entry.journal.count == length
      else { return false }
      contents[key]?.journal.append(data)
      return true
    }
    if isAppended, !data.isEmpty { tell(of: key) }
    return isAppended
  }

  private func tell(of key: String) {
    let notified = observers.withLock { observers in
      observers.all.values.filter { $0.key == key }
    }
    for observer in notified { observer.onChange(nil) }
  }
}
