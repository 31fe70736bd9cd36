import FlaskInsight
import Foundation
import Testing

private struct Profile: FlaskState {
  var name = "Ada"
  var address = Address()
  var password = Password(text: "in-the-clear")
  var tags: [String] = ["a"]
}

private struct Address: Codable, Sendable {
  var city = "London"
  var street = "Dorset Street"
}

private struct Password: Redacted, Codable, Sendable { var text: String }

@Suite struct KeyTextsTests {
  private func texts(_ redacting: [Redaction] = []) -> [String] {
    let profile = Flux.$current.withValue(Flux()) { Substance(Profile()) }
    return profile.keyTexts(redacting: redacting).map {
      "\($0.path)=\($0.isRedacted ? "secret" : $0.new ?? "none")"
    }
  }

  @Test func `the keys that have no keys below them are there with their values, without secrets`() {
    #expect(
      texts() == [
        "name=\"Ada\"", "address.city=\"London\"", "address.street=\"Dorset Street\"", "password.text=secret",
        "tags=[\"a\"]",
      ]
    )
  }

  @Test func `what is to be redacted is`() {
    #expect(
      texts([.keyPath(\Profile.name), .type(Address.self)]).filter { $0.hasSuffix("=secret") }.count == 4
    )
  }

  @Test func `a date that is no finite number of seconds is a text`() {
    let dates = [Double.infinity, -.infinity, .nan, 0].map { Date(timeIntervalSinceReferenceDate: $0) }
    let substance = Flux.$current.withValue(Flux()) { Substance(dates) }
    let seconds = ["inf", "-inf", "nan"].map { "a Date of \($0) seconds" }
    #expect(
      substance.keyTexts().map(\.new)
        == ["[\((seconds + ["\(Date(timeIntervalSinceReferenceDate: 0))"]).joined(separator: ", "))]"]
    )
  }
}
