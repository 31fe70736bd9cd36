/// All the archivers of the process.
public enum Archivers {
  /// Saves whatever has changed, all archives at once, and waits until it is durable. A normal end of the process does
  /// the same. Faults are reported on this thread.
  ///
  /// - Returns: whether all is durable.
  /// - Complexity: O(*n*) in the number of archivers.
  @discardableResult
  public static func flush() -> Bool {
    ArchiverRegistry.shared.flush()
  }

  /// Saves whatever has changed, all archives at once, and suspends until it is durable.
  ///
  /// - Returns: whether all is durable.
  /// - Complexity: O(*n*) in the number of archivers.
  @discardableResult
  public static func flush() async -> Bool {
    await ArchiverRegistry.shared.flush()
  }
}
