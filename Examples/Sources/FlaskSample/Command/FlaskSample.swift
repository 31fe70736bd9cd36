import ArgumentParser
import Foundation

@main
struct FlaskSample: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "A departures board: reads flights, announces what happens, and sums it up.",
    usage: """
      FlaskSample [--quiet] [--limit <lines>] [--strict] [--airlines <file>] [--archive <folder>] [<flights>]
      jq -c 'select(.origin == "JFK")' flights.jsonl | FlaskSample -
      """,
    discussion: """
      Each line of the input is a JSON object with the keys date, carrier, flight, origin, destination and \
      scheduledDeparture, and, unless the flight was cancelled, departure and departureDelay (minutes). Delays are those \
      of departures; late means 15 minutes or more.

      New worst delays, the first cancellation of each airport and the end of each day are announced on standard \
      output as they happen, then comes the summary. Lines that are no flight are reported on standard error with \
      their number, and counted.

      Exit status: 0 the input was read to its end; 64 wrong usage; 65 there were bad lines, with --strict; \
      66 the input could not be read; 73 the archives could not be written; 74 the output could not be written.
      """
  )

  @Argument(
    help: ArgumentHelp(
      "A file of flights, or - for standard input. (default: the flights that the sample ships)",
      valueName: "flights"
    )
  )
  var flights: String?

  @Flag(name: .shortAndLong, help: "Announce nothing; print the summary alone.")
  var quiet = false

  @Option(name: .shortAndLong, help: ArgumentHelp("Read that many lines at most.", valueName: "lines"))
  var limit: Int?

  @Flag(help: "Exit with status 65 if there were bad lines.")
  var strict = false

  @Option(
    help: ArgumentHelp(
      "Names of airlines, CSV with the columns carrier and name. (default: the shipped ones)",
      valueName: "file"
    )
  )
  var airlines: String?

  @Option(
    help: ArgumentHelp(
      "Keep the counts there, and go on after the last line that an earlier run has counted. (default: start anew)",
      valueName: "folder"
    )
  )
  var archive: String?

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit wants a number of lines, 0 or more.") }
  }

  func run() async throws {
    let options = Session.Options(
      source: FlightSource(argument: flights),
      airlines: airlines.map { URL(filePath: $0) } ?? Resource.airlines,
      archive: archive.map { URL(filePath: $0) },
      limit: limit ?? .max,
      isQuiet: quiet,
      isStrict: strict
    )
    try await Session(options).run()
  }
}
