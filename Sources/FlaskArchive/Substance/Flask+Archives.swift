internal import FlaskPrimitives

extension Flask {
  /// Where substances are archived that were not given a backend. `UserDefaults` on Apple's systems, as documented;
  /// elsewhere, where `UserDefaults` is not durable, a folder of files. Counts for archives that are opened after the
  /// assignment.
  public static var defaultArchive: any ArchiveBackend {
    get { DefaultArchive.backend.withLock { $0 } }
    set {
      // The old one is let go of after the lock: that may run a `deinit` of the user's.
      let old = DefaultArchive.backend.withLock { backend in
        defer { backend = newValue }
        return backend
      }
      withExtendedLifetime(old) {}
    }
  }

  /// Saves whatever has changed in archived substances, and waits until it is durable. A normal end of the process does
  /// the same.
  ///
  /// - Returns: whether all is durable; what is not has been reported as a fault.
  @discardableResult
  public static func flushArchives() -> Bool { Archivers.flush() }

  /// Saves whatever has changed in archived substances, and suspends until it is durable.
  ///
  /// - Returns: whether all is durable; what is not has been reported as a fault.
  @discardableResult
  public static func flushArchives() async -> Bool { await Archivers.flush() }
}
