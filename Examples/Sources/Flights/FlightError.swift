/// Why a line of the input is no flight.
public enum FlightError: Error, Equatable, CustomStringConvertible {
  /// The line is longer than `LineSplitter.longestLine`.
  case tooLong
  /// The line is not one whole JSON object in UTF-8, or has a number that no `Int` can be.
  case notReadable
  /// A key that every flight has is not there, or is null.
  case missing(String)
  /// The value of a key is of another type, or out of bounds.
  case invalid(String)

  /// For whoever has to mend the line. Never quotes the line, which may hold anything.
  public var description: String {
    switch self {
    case .tooLong: "longer than \(LineSplitter.longestLine) bytes"
    case .notReadable: "not a readable JSON object"
    case .missing(let key): "`\(key)` is missing"
    case .invalid(let key): "the value of `\(key)` is not valid"
    }
  }
}
