public import Foundation

extension UserDefaultsArchive: ObservableArchiveBackend {
  /// Calls `onChange` after each change of the defaults that the system reports, whatever the key. A change made in
  /// this process is reported on the thread that makes it.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - onChange: the closure to call.
  /// - Returns: the observation.
  public func observe(
    _ key: String,
    onChange: @escaping @Sendable (ArchiveError?) -> Void
  ) -> ArchiveObservation {
    let observer = NotificationCenter.default.addObserver(
      forName: UserDefaults.didChangeNotification,
      object: nil,
      queue: nil
    ) { _ in onChange(nil) }
    // The token may be used by another thread: it is only passed once to the notification centre, which any thread may
    // use.
    nonisolated(unsafe) let token = observer
    return ArchiveObservation { NotificationCenter.default.removeObserver(token) }
  }

  /// Replaces the stored bytes of a key by other bytes, if the stored bytes are the expected ones. The defaults have no
  /// lock. Another process may write between the check and the write; then the last write wins.
  ///
  /// - Parameters:
  ///   - data: the bytes.
  ///   - key: the key.
  ///   - expected: the bytes that must be stored; `nil` if nothing must be stored.
  /// - Returns: whether the expected bytes were stored.
  /// - Throws: `ArchiveError.notBytes`, or `.notSynchronized` when the defaults could not be written.
  public func save(_ data: Data, for key: String, replacing expected: Data?) throws -> Bool {
    guard try load(key) == expected else { return false }
    try save(data, for: key)
    return true
  }
}
