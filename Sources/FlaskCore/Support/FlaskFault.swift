/// A misuse of Flask, or a failure that cannot be thrown, since it has no caller.
///
/// A fault never traps and loses no state. Its message contains what was wrong, what was done instead, and the remedy.
/// Each occurrence is reported once, to `Flux.onFault` of the flux it happened on, else to `Flask.onFault`.
public struct FlaskFault: Error, Sendable, CustomStringConvertible {
  /// The kind of misuse or failure.
  public let kind: Kind
  /// The problem, with the substance or key, and the remedy.
  public let message: String
  /// The file of the call that is at fault, as `#fileID`. A property has no location of its caller. In debug builds on
  /// Linux the location is looked up on the stack. Elsewhere it is the file in which the substance was made, as the
  /// message says.
  public let fileID: String
  /// The line in `fileID`.
  public let line: UInt

  package init(_ kind: Kind, _ message: String, fileID: String, line: UInt) {
    self.kind = kind
    self.message = message
    self.fileID = fileID
    self.line = line
  }

  package init(_ kind: Kind, _ message: String, at location: SourcePlace) {
    self.init(kind, message, fileID: location.fileID ?? "unknown", line: location.line)
  }

  /// One line: location, kind and message.
  public var description: String { "\(fileID):\(line): Flask fault (\(kind.rawValue)): \(message)" }
}
