/// How much a recorder keeps.
public struct RecordingLimits: Sendable, Hashable {
  /// The maximum of bytes on the disk; `nil` for no limit.
  public var bytes: Int?
  /// The maximum of operations; `nil` for no limit.
  public var operations: Int?
  /// The maximum number of operations that wait for the writer; at least two.
  public var waiting: Int

  /// Limits. `Recorder` describes their effects.
  public init(bytes: Int? = nil, operations: Int? = nil, waiting: Int = 10_000) {
    self.bytes = bytes
    self.operations = operations
    self.waiting = max(2, waiting)
  }

  /// Everything is kept.
  public static let none = RecordingLimits()

  var areSet: Bool { bytes != nil || operations != nil }
}
