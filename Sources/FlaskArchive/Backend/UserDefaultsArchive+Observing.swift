public import Foundation

extension UserDefaultsArchive: ObservableArchiveBackend {
  /// Calls `onChange` after each change of the defaults that the system reports, whatever its key: on the thread that
  /// makes it, if it is made in this process.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - onChange: what to call.
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
    // A token that is handed back once, to a centre that any thread may use.
    nonisolated(unsafe) let token = observer
    return ArchiveObservation { NotificationCenter.default.removeObserver(token) }
  }

  /// Keeps bytes in place of others, if those are what is kept. The defaults know no lock, so that another process may
  /// come between the look and the write: what is written last stays then.
  ///
  /// - Parameters:
  ///   - data: the bytes.
  ///   - key: the key.
  ///   - expected: what must be there; `nil` for nothing.
  /// - Returns: whether it was there.
  /// - Throws: `ArchiveError.notBytes`, or `.notSynchronized` when the defaults could not be written.
  public func save(_ data: Data, for key: String, replacing expected: Data?) throws -> Bool {
    guard try load(key) == expected else { return false }
    try save(data, for: key)
    return true
  }
}
