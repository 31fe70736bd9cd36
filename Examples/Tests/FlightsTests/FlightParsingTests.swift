import Flights
import Testing

struct FlightParsingTests {
  @Test func `A flight is read, keys that the board has no use for ignored`() throws {
    let json =
      #"{"date":"2013-01-01","carrier":"UA","flight":1545,"tail":"N14228","origin":"EWR","destination":"IAH","#
      + #""scheduledDeparture":515,"departure":517,"departureDelay":2,"distance":1400}"#
    #expect(
      try Flight(json: json.utf8)
        == Flight(
          date: "2013-01-01",
          carrier: "UA",
          flight: 1545,
          origin: "EWR",
          destination: "IAH",
          scheduledDeparture: 515,
          departure: 517,
          departureDelay: 2
        )
    )
  }

  @Test func `A flight without departure was cancelled`() throws {
    let flight = try Flight(json: json().utf8)
    #expect(flight.isCancelled)
    #expect(flight.departureDelay == nil)
  }

  @Test func `A flight with a departure was not cancelled`() throws {
    #expect(try !Flight(json: json(#","departure":0"#).utf8).isCancelled)
  }

  @Test(arguments: ["", "garbage", "[]", "7", #"{"date":"2013-0"#, "{}x", "\u{FEFF}"])
  func `What is no readable object is refused`(_ text: String) {
    #expect(throws: FlightError.notReadable) { try Flight(json: text.utf8) }
  }

  @Test func `Bytes that are not UTF-8 are refused`() {
    #expect(throws: FlightError.notReadable) { try Flight(json: [0x7B, 0xFF, 0xFE, 0x7D]) }
  }

  @Test func `A key that is missing is named`() {
    #expect(throws: FlightError.missing("date")) { try Flight(json: "{}".utf8) }
  }

  @Test func `A key that is null is missing`() {
    #expect(throws: FlightError.missing("carrier")) { try Flight(json: json(carrier: "null").utf8) }
  }

  @Test(arguments: ["7", #""""#, #""U.A""#, #""\u001b[2J""#, #""TOOLONGCODE""#, #""Ü""#])
  func `A code is letters and digits`(_ carrier: String) {
    #expect(throws: FlightError.invalid("carrier")) { try Flight(json: json(carrier: carrier).utf8) }
  }

  @Test(arguments: ["", "today", "2013-1-01", "2013-01-01T00", "20130101", "2013-01-0x", "2013-01-01-"])
  func `A date is a year, a month and a day`(_ date: String) {
    let json = json().replacing("2013-01-01", with: date)
    #expect(throws: FlightError.invalid("date")) { try Flight(json: json.utf8) }
  }

  @Test(arguments: ["9000000000000000000", "100000", "-100000", #""2""#])
  func `A delay is a whole number within bounds`(_ delay: String) {
    #expect(throws: FlightError.invalid("departureDelay")) {
      try Flight(json: json(#","departureDelay":\#(delay)"#).utf8)
    }
  }

  @Test(arguments: ["2.5", "1e99"])
  func `A number that no integer can be is refused`(_ delay: String) {
    #expect(throws: FlightError.self) { try Flight(json: json(#","departureDelay":\#(delay)"#).utf8) }
  }

  private func json(_ more: String = "", carrier: String = #""UA""#) -> String {
    #"{"date":"2013-01-01","carrier":\#(carrier),"flight":1,"origin":"EWR","destination":"IAH","#
      + #""scheduledDeparture":515\#(more)}"#
  }
}
