import Flask

/// Every substance of the sample.
///
/// All but the names of the airlines, which each run loads anew, can be kept from run to run. They are saved together, as
/// they are between two operations. A line is two operations, and another run may be ahead; therefore each knows the last
/// line that it has counted, and counts none twice: a run goes on after the first line that some of them lack.
struct Substances: Sendable {
  let board: Board
  let days: Days
  let records: Records
  let journal: Journal
  let airlines = Airlines()

  /// Reads the archives, if they are kept.
  init(_ keeping: Keeping? = nil) {
    let (isKept, archive) = (keeping != nil, keeping?.group)
    board = Board(name: keeping?.name("board"), archive: isKept, in: archive)
    days = Days(name: keeping?.name("days"), archive: isKept, in: archive)
    records = Records(name: keeping?.name("records"), archive: isKept, in: archive)
    journal = Journal(name: keeping?.name("journal"), archive: isKept, in: archive)
  }

  var all: [AnySubstance] { [board, days, records, journal, airlines] }

  /// The last line that all of them have counted.
  var lastLine: Int {
    [board.state._lastLine, days.state._lastLine, records.state._lastLine, journal.state.lines].min() ?? 0
  }
}
