public import Foundation

/// Keeps archives in memory, for as long as the process lives: for tests and previews.
///
/// Copies of one `MemoryArchive` share what they keep. Any thread may use it.
public struct MemoryArchive: ObservableArchiveBackend {
  // Bytes that are replaced or removed are handed out of the lock before they are released: `Data` may have a
  // deallocator that a user wrote.
  private let contents = Lock([String: Data]())
  private let observers = Lock(Observers())

  private struct Observers {
    struct Observer: Sendable {
      let key: String
      let onChange: @Sendable (ArchiveError?) -> Void
    }

    var count = 0
    var all: [Int: Observer] = [:]
  }

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
    tell(of: key)
  }

  /// Forgets what is kept under a key.
  ///
  /// - Parameter key: the key.
  public func remove(_ key: String) {
    let removed = contents.withLock { $0.removeValue(forKey: key) }
    withExtendedLifetime(removed) {}
    tell(of: key)
  }

  /// Lists the keys that begin with a prefix, sorted.
  ///
  /// - Parameter prefix: what the keys begin with.
  /// - Returns: the keys.
  /// - Complexity: O(*n* log *n*) in the number of keys.
  public func keys(withPrefix prefix: String) -> [String] {
    contents.withLock { $0.keys.filter { $0.hasPrefix(prefix) }.sorted() }
  }

  /// Calls `onChange` after each change of a key's bytes by any copy of this archive, on the thread that makes it.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - onChange: what to call.
  /// - Returns: the observation.
  public func observe(
    _ key: String,
    onChange: @escaping @Sendable (ArchiveError?) -> Void
  ) -> ArchiveObservation {
    let number = observers.withLock { observers in
      observers.count += 1
      observers.all[observers.count] = Observers.Observer(key: key, onChange: onChange)
      return observers.count
    }
    return ArchiveObservation { [observers] in
      let removed = observers.withLock { $0.all.removeValue(forKey: number) }
      withExtendedLifetime(removed) {}
    }
  }

  /// Keeps bytes in place of others, if those are what is kept.
  ///
  /// - Parameters:
  ///   - data: the bytes.
  ///   - key: the key.
  ///   - expected: what must be there; `nil` for nothing.
  /// - Returns: whether it was there.
  public func save(_ data: Data, for key: String, replacing expected: Data?) -> Bool {
    let (isSaved, replaced) = contents.withLock { contents -> (Bool, Data?) in
      guard contents[key] == expected else { return (false, nil) }
      return (true, contents.updateValue(data, forKey: key))
    }
    withExtendedLifetime(replaced) {}
    if isSaved { tell(of: key) }
    return isSaved
  }

  private func tell(of key: String) {
    let told = observers.withLock { observers in
      observers.all.values.filter { $0.key == key }
    }
    for observer in told { observer.onChange(nil) }
  }
}
