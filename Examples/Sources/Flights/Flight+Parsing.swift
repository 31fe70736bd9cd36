internal import Foundation

extension Flight {
  /// Reads the JSON object of one line.
  ///
  /// What is read is safe to count with, to print and to name a key with: numbers are within bounds, codes are letters
  /// and digits.
  public init(json: some Sequence<UInt8>) throws(FlightError) {
    do {
      self = try JSONDecoder().decode(Flight.self, from: Data(json))
    } catch DecodingError.keyNotFound(let key, _) {
      throw .missing(key.stringValue)
    } catch DecodingError.valueNotFound(_, let context) {
      throw context.codingPath.last.map { .missing($0.stringValue) } ?? .notReadable
    } catch DecodingError.typeMismatch(_, let context) {
      throw context.codingPath.last.map { .invalid($0.stringValue) } ?? .notReadable
    } catch DecodingError.dataCorrupted(let context) {
      throw context.codingPath.last.map { .invalid($0.stringValue) } ?? .notReadable
    } catch {
      throw .notReadable
    }
    try check()
  }

  private func check() throws(FlightError) {
    if !isDate(date) { throw .invalid("date") }
    if !isCode(carrier) { throw .invalid("carrier") }
    if !isCode(origin) { throw .invalid("origin") }
    if !isCode(destination) { throw .invalid("destination") }
    if !(0...99_999).contains(flight) { throw .invalid("flight") }
    if !(0...2400).contains(scheduledDeparture) { throw .invalid("scheduledDeparture") }
    if let departure, !(0...2400).contains(departure) { throw .invalid("departure") }
    if let departureDelay, !(-99_999...99_999).contains(departureDelay) { throw .invalid("departureDelay") }
  }

  private func isCode(_ text: String) -> Bool {
    (1...8).contains(text.utf8.count) && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
  }

  /// Whether it is four digits, two and two, with hyphens between. The calendar is not asked.
  private func isDate(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    return parts.map(\.utf8.count) == [4, 2, 2]
      && parts.allSatisfy { $0.allSatisfy { $0.isASCII && $0.isNumber } }
  }
}
