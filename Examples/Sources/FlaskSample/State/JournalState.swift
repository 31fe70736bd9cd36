import Flask

/// What was read: every line is a flight, blank or bad.
struct JournalState: State {
  enum prop: StateProp { case flights, blank, bad, lastBad }

  var flights = 0
  var blank = 0
  var bad = 0
  var lastBad: BadLine?

  /// The day of the last flight, while it is open.
  var _openDay: String?

  var lines: Int { flights + blank + bad }
}
