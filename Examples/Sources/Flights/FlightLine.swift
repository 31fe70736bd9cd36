/// What a line of the input turned out to be.
public struct FlightLine: Sendable, Equatable {
  /// The three kinds of lines.
  public enum Content: Sendable, Equatable {
    /// A flight.
    case flight(Flight)
    /// White space alone.
    case blank
    /// Anything else.
    case bad(FlightError)
  }

  /// Its number, counted from 1.
  public let number: Int
  /// What it says.
  public let content: Content

  /// A line that says `content`.
  public init(number: Int, content: Content) {
    self.number = number
    self.content = content
  }

  /// Reads a line.
  public init(_ line: Line) {
    number = line.number
    guard let bytes = line.bytes else {
      content = .bad(.tooLong)
      return
    }
    if bytes.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) {
      content = .blank
      return
    }
    do { content = .flight(try Flight(json: bytes)) } catch { content = .bad(error) }
  }
}
