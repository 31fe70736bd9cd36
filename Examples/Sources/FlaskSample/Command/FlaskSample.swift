import ArgumentParser
import Foundation

@main
struct FlaskSample: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "A departures board: reads flights, announces what happens, and sums it up.",
    usage: """
      FlaskSample [--quiet] [--board] [--limit <lines>] [--strict] [--airlines <file>] [--archive <folder>] [--record <file>] [--inspect] [<flights>]
      FlaskSample --replay <file>
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
      66 the input, or the recording, could not be read; 69 the page could not be served; 70 a replay went another way than it was recorded; \
      71 the replayed recording is cut off or damaged, and the summary is that of what there is; 73 the archives could not be written; 74 the output could not be written.
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

  @Flag(help: "Print the latest flights of the last day, too, by airport.")
  var board = false

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

  @Option(help: ArgumentHelp("Record what happens, for --replay.", valueName: "file"))
  var record: String?

  @Flag(help: "Serve a page that shows what happens, on this machine alone, until Ctrl-C.")
  var inspect = false

  @Option(
    help: ArgumentHelp(
      "Perform a recording again, without its input, and print its summary, or the first difference.",
      valueName: "file"
    )
  )
  var replay: String?

  func validate() throws {
    if replay != nil && (flights != nil || record != nil || archive != nil || inspect) {
      throw ValidationError("--replay takes everything from the recording.")
    }
    if let limit, limit < 0 { throw ValidationError("--limit wants a number of lines, 0 or more.") }
  }

  func run() async throws {
    if let replay { return try await Playback(URL(filePath: replay)).run() }
    let options = Session.Options(
      source: FlightSource(argument: flights),
      airlines: airlines.map { URL(filePath: $0) } ?? Resource.airlines,
      archive: archive.map { URL(filePath: $0) },
      recording: record.map { URL(filePath: $0) },
      isInspected: inspect,
      limit: limit ?? .max,
      isQuiet: quiet,
      showsBoard: board,
      isStrict: strict
    )
    try await Session(options).run()
  }
}
