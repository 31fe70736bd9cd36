/// A misuse of Flask, or a failure that has no caller to be thrown to.
///
/// A fault never traps and loses no state: the message says what was wrong, what was done instead, and the remedy.
/// Each occurrence is reported once, to `Flux.onFault` of the bus it happened on, else to `Flask.onFault`.
public struct FlaskFault: Error, Sendable, CustomStringConvertible {
  /// What kind of misuse or failure it is.
  public let kind: Kind
  /// What was wrong, naming the substance or key, and the remedy.
  public let message: String
  /// The file of the call that is at fault, as `#fileID`; where a call can't tell (a property), the file in which
  /// the substance was made.
  public let fileID: String
  /// The line in that file.
  public let line: UInt

  package init(_ kind: Kind, _ message: String, at place: SourcePlace) {
    self.kind = kind
    self.message = message
    fileID = place.fileID.description
    line = place.line
  }

  /// One line: place, kind and message.
  public var description: String { "\(fileID):\(line): Flask fault (\(kind.rawValue)): \(message)" }
}
