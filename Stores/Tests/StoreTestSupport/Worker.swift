internal import Foundation

/// A process that runs `SharedWorker`.
public final class Worker {
  private let process = Process()
  private let output = Pipe()
  private let errors = Pipe()

  /// - Parameters:
  ///   - store: the path of a file, or a connection string.
  ///   - arguments: a mode of the program, and what it takes.
  ///   - command: a program, with its arguments, that runs this one.
  public init(_ store: String, _ arguments: [String], by command: [String] = []) throws {
    // The program lies beside the tests.
    let folder = Bundle(for: Worker.self).bundleURL.deletingLastPathComponent()
    let candidates = [
      folder, Bundle.main.bundleURL,
      URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent(),
    ]
    let program = candidates.map { $0.appending(path: "SharedWorker") }.first {
      FileManager.default.isExecutableFile(atPath: $0.path)
    }
    guard let program else { throw CocoaError(.fileNoSuchFile) }
    process.executableURL = command.isEmpty ? program : URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command + (command.isEmpty ? [] : [program.path]) + [store] + arguments
    process.standardOutput = output
    process.standardError = errors
    try process.run()
  }

  /// Ends it as if the power had failed.
  public func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }

  /// The lines that it has printed, and whether it has ended by itself, without an error.
  public func end() -> (lines: [String], isDone: Bool, errors: String) {
    let data = output.fileHandleForReading.readDataToEndOfFile()
    let message = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let lines = String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    return (lines, process.terminationReason == .exit && process.terminationStatus == 0, message)
  }
}
