public import Foundation

extension UserDefaultsArchive: ObservableArchiveBackend {
  /// Calls `onChange` after each change of the defaults that the system reports, whatever its key: on the thread that
  /// makes it, if it is made in this process.
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
    // A token that is returned once, to a centre that any thread may use.
    nonisolated(unsafe) let token = observer
    return ArchiveObservation { NotificationCenter.default.removeObserver(token) }
  }

  /// Stores bytes in exchange for others, if those are stored now. The defaults have no lock, so that another process
  /// may write between the check and the write: the last write wins then.
  ///
  /// - Parameters:
  ///   - data: the bytes.
  ///   - key: the key.
  ///   - expected: the bytes that must be stored; `nil` for none.
  /// - Returns: whether it was there.
  /// - Throws: `ArchiveError.notBytes`, or `.notSynchronized` when the defaults could not be written.
  public func save(_ data: Data, for key: String, replacing expected: Data?) throws -> Bool {
    guard try load(key) == expected else { return false }
    try save(data, for: key)
    return true
  }
}
