import Testing

@testable import FlaskTesting

@Suite struct TestPlaceTests {
  private let place = TestPlace("App/Cart.swift", "/App/Cart.swift", 12, 5)

  @Test func `a line of which only the file's name is known is that line`() {
    #expect(place.line(1, ofFile: "App/List.swift").line == 1)
    #expect(place.line(1, ofFile: "App/List.swift").fileID == "App/List.swift")
    #expect(place.line(7, ofFile: "App/Cart.swift").filePath == "/App/Cart.swift")
  }

  @Test func `no line, or none of a file, is the place itself`() {
    #expect(place.line(0, ofFile: "App/List.swift").line == 12)
    #expect(place.line(3, ofFile: nil).fileID == "App/Cart.swift")
  }
}
