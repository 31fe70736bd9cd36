internal import FlaskPrimitives

/// A failure of a test, with the line that caused it.
public struct TestIssue: Error, Sendable, Hashable, CustomStringConvertible {
  /// The problem as text, often of several lines.
  public let message: String
  /// Where.
  public let place: TestPlace

  /// The source location and the message as one text.
  public var description: String { "\(place): \(message)" }
}

/// The paths of the files that have called this module.
enum KnownFiles {
  private static let paths = Lock<[String: StaticString]>([:])

  static func note(_ fileID: String, at path: StaticString) { paths.withLock { $0[fileID] = path } }

  static func path(_ fileID: String) -> StaticString? { paths.withLock { $0[fileID] } }
}
