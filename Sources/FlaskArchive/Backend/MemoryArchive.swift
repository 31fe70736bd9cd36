public import Foundation

/// Keeps archives in memory, for as long as the process lives: for tests and previews.
///
/// Copies of one `MemoryArchive` share what they keep. Any thread may use it.
public struct MemoryArchive: ArchiveBackend {
  // Bytes that are replaced or removed are handed out of the lock before they are released: `Data` may have a
  // deallocator that a user wrote.
  private let contents = Lock([String: Data]())

  /// Makes an empty archive, apart from every other.
  public init() {}

  /// The address of the memory: no two archives in use have the same.
  public var location: String { "memory:\(UInt(bitPattern: ObjectIdentifier(contents)))" }

  /// Reads the bytes kept under a key.
  ///
  /// - Parameter key: the key.
  /// - Returns: the bytes, or `nil` if there are none.
  public func load(_ key: String) -> Data? {
    contents.withLock { $0[key] }
  }

  /// Keeps bytes under a key until the process ends.
  ///
  /// - Parameters:
  ///   - data: the bytes.
  ///   - key: the key.
  public func save(_ data: Data, for key: String) {
    let replaced = contents.withLock { $0.updateValue(data, forKey: key) }
    withExtendedLifetime(replaced) {}
  }

  /// Forgets what is kept under a key.
  ///
  /// - Parameter key: the key.
  public func remove(_ key: String) {
    let removed = contents.withLock { $0.removeValue(forKey: key) }
    withExtendedLifetime(removed) {}
  }

  /// Lists the keys that begin with a prefix, sorted.
  ///
  /// - Parameter prefix: what the keys begin with.
  /// - Returns: the keys.
  /// - Complexity: O(*n* log *n*) in the number of keys.
  public func keys(withPrefix prefix: String) -> [String] {
    contents.withLock { $0.keys.filter { $0.hasPrefix(prefix) }.sorted() }
  }
}
