import Flask
import Flights

/// What is printed at the end: airports with their airlines, days, the record, and what was read.
struct Summary {
  private let board: BoardState
  private let days: DaysState
  private let records: RecordsState
  private let journal: JournalState
  private let airlines: Airlines

  init(_ substances: Substances) {
    board = substances.board.state
    days = substances.days.state
    records = substances.records.state
    journal = substances.journal.state
    airlines = substances.airlines
  }

  /// The lines, in order.
  var lines: [String] {
    (board.airports.isEmpty ? [] : airportLines + [""] + dayLines + [""] + recordLines) + journalLines
  }

  private var airportLines: [String] {
    var table = makeTable("airport and airline")
    for (code, airport) in board.airports.sorted(by: { $0.key < $1.key }) {
      table.add(row(code, airport.total))
      for (carrier, tally) in airport.carriers.sorted(by: isBusier) {
        table.add(row("  " + airlines.label(carrier), tally))
      }
    }
    table.add(row("all airports", board.total))
    return table.lines
  }

  private var dayLines: [String] {
    var table = makeTable("day")
    for (date, tally) in days.days.sorted(by: { $0.key < $1.key }) { table.add(row(date, tally)) }
    return table.lines
  }

  private var recordLines: [String] {
    guard let worst = records.worst, let minutes = worst.departureDelay else { return [] }
    return ["worst delay: \(minutes) min, \(Wording.describe(worst, airlines))"]
  }

  private var journalLines: [String] {
    let kinds = "\(journal.flights) flights, \(journal.blank) blank, \(journal.bad) bad"
    return ["lines read: \(journal.lines) (\(kinds))"]
  }

  private func makeTable(_ title: String) -> Table {
    Table(header: [title, "flights", "cancelled", "late", "mean delay", "worst delay"])
  }

  private func row(_ title: String, _ tally: Tally) -> [String] {
    [
      title, "\(tally.flights)", "\(tally.cancelled)", "\(tally.late)",
      tally.delay.mean.map { "\($0)" } ?? "-", tally.delay.worst.map { "\($0)" } ?? "-",
    ]
  }

  private func isBusier(_ left: (key: String, value: Tally), _ right: (key: String, value: Tally)) -> Bool {
    (right.value.flights, left.key) < (left.value.flights, right.key)
  }
}
