import Foundation

/// Another process of this program.
final class Child {
  let process = Process()
  private let output = Pipe()
  private let input = Pipe()
  private var buffer = Data()

  init(_ arguments: [String]) throws {
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = arguments
    process.standardOutput = output
    process.standardInput = input
    try process.run()
  }

  /// The next line it prints, `nil` at the end.
  func line() -> String? {
    while true {
      if let end = buffer.firstIndex(of: 0x0A) {
        let line = String(decoding: buffer[..<end], as: UTF8.self)
        buffer = Data(buffer[(end + 1)...])
        return line
      }
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { return nil }
      buffer.append(more)
    }
  }

  /// Gives it a line to read.
  func tell(_ line: String) {
    try? input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
  }

  /// Kills it, and takes what it had printed whole.
  func kill() -> [String] {
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    var lines: [String] = []
    while let line = line() { lines.append(line) }
    return lines
  }

  func wait() -> Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }
}

/// `strace`, which holds another process.
struct Tracer {
  private let process = Process()
  private let messages = Pipe()

  /// Takes hold of a process, and returns when it has.
  init(of child: Child, _ options: [String]) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["strace", "-f", "-p", "\(child.process.processIdentifier)"] + options
    process.standardError = messages
    process.standardOutput = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    _ = messages.fileHandleForReading.availableData
  }

  /// Lets go of it.
  ///
  /// - Parameter isDead: whether the process is. Interrupted, `strace` lets go of one that lives; a `strace` that waits
  ///   for a dead one has to be killed.
  func end(isDead: Bool) {
    if isDead { kill(process.processIdentifier, SIGKILL) } else { process.interrupt() }
    process.waitUntilExit()
  }
}
