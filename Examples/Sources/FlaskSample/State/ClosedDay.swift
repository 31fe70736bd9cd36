/// A day that has ended, with its counts at that moment.
struct ClosedDay: Codable, Sendable, Equatable {
  let date: String
  let tally: Tally
}
