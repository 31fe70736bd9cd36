import Flights
import Testing

struct AirlineNamesTests {
  @Test(arguments: [
    "carrier,name\nUA,United Air Lines Inc.\n", "carrier,name\r\nUA,United Air Lines Inc.\r\n",
    "\u{FEFF}name,carrier\nUnited Air Lines Inc.,UA",
  ])
  func `Names are read by code, whatever the line breaks and the order of the columns`(_ text: String) throws
  {
    #expect(try AirlineNames.parse(text) == ["UA": "United Air Lines Inc."])
  }

  @Test func `A quoted name may have a comma`() throws {
    #expect(try AirlineNames.parse("carrier,name\nUA,\"United, Inc.\"\n") == ["UA": "United, Inc."])
  }

  @Test func `An airline without a name is left out`() throws {
    #expect(try AirlineNames.parse("carrier,name\nUA,\nAA\n") == [:])
  }

  @Test func `What could steer a terminal is taken out of a name`() throws {
    #expect(try AirlineNames.parse("carrier,name\nUA,Uni\u{1B}[2Jted\n") == ["UA": "Uni[2Jted"])
  }

  @Test func `A missing column is named`() {
    #expect { try AirlineNames.parse("carrier,title\nUA,United\n") } throws: { "\($0)" == "no column `name`" }
  }

  @Test func `An empty file lacks its columns`() {
    #expect { try AirlineNames.parse("") } throws: { "\($0)" == "no column `carrier`" }
  }
}
