import FlaskSharing
import Testing

@Suite struct SharedPlaceTests {
  @Test func `a place is made from its description`() {
    let place = SharedPlace(incarnation: "9F1-4", number: 7)
    #expect(place.description == "7-9F1-4")
    #expect(SharedPlace("7-9F1-4") == place)
  }

  @Test(arguments: ["", "7", "-", "x-9F1", "-7-9F1", "7.5-9F1"])
  func `what describes no place is none`(_ text: String) { #expect(SharedPlace(text) == nil) }
}
