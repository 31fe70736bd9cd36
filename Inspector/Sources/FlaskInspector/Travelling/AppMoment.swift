/// What the app shows, and how often that has changed: of two that somebody hears of, that with more changes is newer.
struct AppMoment: Sendable, Equatable, Encodable {
  /// The operation after whose states the app shows; `nil` in the present.
  private(set) var number: Int?
  private(set) var version = 0

  private enum CodingKeys: String, CodingKey {
    case number = "n"
    case version = "v"
  }

  mutating func change(to number: Int?) {
    if number == nil && self.number == nil { return }
    self.number = number
    version += 1
  }

  /// As an answer to who has asked for it.
  var text: String { PageLine.text(self) }
}
