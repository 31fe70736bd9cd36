import Flask

/// Airport → carrier → counts and delays.
///
/// Every level is a key that can be listened to: `total`, `airports.JFK`, `airports.JFK.total.cancelled`,
/// `airports.JFK.carriers.UA.delay.worst`.
struct BoardState: State {
  enum prop: StateProp { case total, airports }

  var total = Tally()
  var airports: [String: Airport] = [:]

  /// The last line that was counted.
  var _lastLine = 0
}
