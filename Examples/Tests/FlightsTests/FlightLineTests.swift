import Flights
import Testing

struct FlightLineTests {
  @Test(arguments: ["", " ", "\t "])
  func `White space alone is a blank line`(_ text: String) {
    #expect(read(text) == FlightLine(number: 1, content: .blank))
  }

  @Test func `What is no flight is a bad line, and says why`() {
    #expect(read("garbage") == FlightLine(number: 1, content: .bad(.notReadable)))
  }

  @Test func `A line that is too long is a bad line`() {
    #expect(
      read(String(repeating: "x", count: 1_048_577)) == FlightLine(number: 1, content: .bad(.tooLong))
    )
  }

  private func read(_ text: String) -> FlightLine? {
    var splitter = LineSplitter()
    return splitter.split(Array("\(text)\n".utf8)[...]).first.map { FlightLine($0) }
  }
}
