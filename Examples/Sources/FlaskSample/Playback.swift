import ArgumentParser
import Flask
import FlaskInsight
import Flights
import Foundation

/// A recorded run, performed again: without its input, without the screen's reactions, without archives.
@MainActor
struct Playback {
  private let file: URL
  private let screen = Screen()

  init(_ file: URL) { self.file = file }

  /// Prints the summary that the run had, or the first operation that went another way.
  ///
  /// Throws the exit code, if it is not 0.
  func run() async throws {
    let recording = try read()
    var made: Substances?
    let report: ReplayReport
    do {
      report = try await recording.replay(payloads: [Flight.self]) {
        let substances = Substances()
        made = substances
        return substances.all
      }
    } catch {
      screen.warn("\(file.path): \(error)")
      throw ExitCode.noInput
    }
    if let difference = report.difference {
      screen.print("\(difference)")
      throw ExitCode.difference
    }
    if let made { for line in Summary(made).lines { screen.print(line) } }
    if screen.failure != nil { throw ExitCode.noOutput }
    if !recording.isComplete { throw ExitCode.cutRecording }
  }

  private func read() throws -> Recording {
    do {
      let recording = try Recording(contentsOf: file)
      if let damage = recording.damage {
        screen.warn("\(damage); what comes before is performed")
      } else if !recording.isComplete {
        screen.warn("\(file.path): the recording has no end; what there is is performed")
      }
      return recording
    } catch {
      screen.warn("\(error)")
      throw ExitCode.noInput
    }
  }
}
