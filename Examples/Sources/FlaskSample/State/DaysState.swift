import Flask

/// The days, by date.
struct DaysState: State {
  enum prop: StateProp { case days, lastClosed }

  var days: [String: Tally] = [:]
  var lastClosed: ClosedDay?

  /// The last line that was counted.
  var _lastLine = 0
}
