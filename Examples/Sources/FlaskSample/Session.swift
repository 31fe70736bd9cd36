import ArgumentParser
import Flask
import FlaskInsight
import FlaskInspector
import Flights
import Foundation
import SystemPackage

/// One run: reads, mixes, sums up.
@MainActor
final class Session {
  struct Options: Sendable {
    let source: FlightSource
    let airlines: URL
    let archive: URL?
    let recording: URL?
    let isInspected: Bool
    let limit: Int
    let isQuiet: Bool
    let showsBoard: Bool
    let isStrict: Bool
  }

  private let options: Options
  private let screen = Screen()
  private let substances: Substances
  private let departures: Departures
  private let dayBoard: DayBoard
  private let announcer: Announcer
  private let loader: AirlineLoader
  private let progress: Progress

  init(_ options: Options) {
    self.options = options
    substances = Substances(
      options.archive.map { Keeping(archive: FileArchive(directory: $0), input: options.source.identity) }
    )
    departures = Departures(substances)
    dayBoard = DayBoard(substances)
    announcer = Announcer(substances, screen: screen, isQuiet: options.isQuiet)
    loader = AirlineLoader(airlines: substances.airlines, file: options.airlines)
    progress = Progress(screen: screen)
  }

  /// Throws the exit code, if it is not 0.
  func run() async throws {
    let file = try open()
    defer { try? file.close() }
    let recorder = try record()
    let inspector = try await inspect()
    loader.start()
    let isRead = await read(file)
    await departures.finish()
    await progress.finish()
    await recorder?.stop()
    printSummary()
    let isKept = await Flask.flushArchives()
    if let inspector {
      await untilInterrupted()
      await inspector.stop()
    }
    if let failure = screen.failure {
      screen.warn("standard output: \(failure)")
      throw ExitCode.noOutput
    }
    if !isRead { throw ExitCode.noInput }
    if !isKept { throw ExitCode.noArchive }
    if options.isStrict && substances.journal.state.bad > 0 { throw ExitCode.badLines }
  }

  /// Records from here on, if that is asked for.
  private func record() throws -> Recorder? {
    do {
      return try options.recording.map { try Recorder(to: $0, beginningWith: substances.all) }
    } catch {
      screen.warn("\(error)")
      throw ExitCode.noArchive
    }
  }

  /// Shows what happens from here on, if that is asked for.
  private func inspect() async throws -> Inspector? {
    if !options.isInspected { return nil }
    do {
      let inspector = try await Inspector.serve(
        showing: substances.board,
        substances.days,
        substances.records,
        substances.journal,
        substances.airlines,
        // A machine that has other things to do is no fault of the sample's.
        budgets: .none,
        // Who says --inspect means it.
        isAllowedInReleaseBuilds: true,
        announce: { _ in }
      )
      screen.warn("the inspector is at \(inspector.address)")
      return inspector
    } catch {
      screen.warn("the inspector: \(error)")
      throw ExitCode.noPage
    }
  }

  /// A run is over before anybody has opened the page, so the page stays.
  private func untilInterrupted() async {
    let interruption = Interruption()
    screen.warn("everything is read; Ctrl-C ends the inspector")
    await interruption.wait()
  }

  private func open() throws -> FileDescriptor {
    do { return try options.source.open() } catch {
      screen.warn("\(options.source.name): \(error)")
      throw ExitCode.noInput
    }
  }

  /// Goes on after the lines that an earlier run has counted. False if the file could not be read to its end.
  private func read(_ file: FileDescriptor) async -> Bool {
    let reader = FlightReader(file: file)
    let counted = substances.lastLine
    if counted > 0 { screen.warn("going on after line \(counted), the last that an earlier run has counted") }
    var count = 0
    var last = 0
    do {
      while count < options.limit, let lines = try await reader.next() {
        let wanted = lines.drop { $0.number <= counted }.prefix(options.limit - count)
        last = lines.last?.number ?? last
        for line in wanted { departures.mix(line) }
        count += wanted.count
        progress.report(count)
      }
      if last < counted, count < options.limit {
        screen.warn("\(options.source.name) has \(last) lines only: is it the same input?")
      }
      return true
    } catch {
      screen.warn("\(options.source.name): \(error)")
      return false
    }
  }

  private func printSummary() {
    if !options.isQuiet { screen.print() }
    if options.showsBoard { for line in dayBoard.lines + [""] { screen.print(line) } }
    for line in Summary(substances).lines { screen.print(line) }
    screen.hideProgress()
  }
}
