@_spi(Checks) import FlaskArchive
import Foundation

/// Fails, interrupts, delays, or kills at, each system call of a save in turn, by `strace`.
struct InjectionCheck {
  let folder: String
  /// Whether it is a group of two that is saved.
  var isGroup = false

  private struct Call: Hashable {
    let name: String
    let number: Int
  }

  private static let ways = ["error=EIO", "error=ENOSPC", "error=EINTR", "delay_enter=50000", "signal=KILL"]

  func run() throws {
    let calls = try callsOfASave()
    print(
      "a save\(isGroup ? " of a group" : "") is: \(calls.map { "\($0.name)#\($0.number)" }.joined(separator: " "))"
    )
    var failures = 0
    for call in calls {
      for way in Self.ways {
        guard let complaint = try inject(way, at: call) else { continue }
        failures += 1
        print("\(call.name)#\(call.number) \(way): \(complaint)")
      }
    }
    print("\(calls.count * Self.ways.count) injections, \(failures) failures")
    exit(failures == 0 && calls.count >= 8 ? 0 : 1)
  }

  /// The system calls of one save, by name and number, from a run that is only watched.
  private func callsOfASave() throws -> [Call] {
    let log = folder + "-strace.log"
    _ = try save(under: ["-o", log])
    var numbers: [String: Int] = [:]
    return try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").compactMap { line in
      guard let match = line.firstMatch(of: /^[0-9]+ +([a-z0-9_]+)\(/) else { return nil }
      let name = String(match.1)
      guard Self.watched.contains(name) else { return nil }
      numbers[name, default: 0] += 1
      return Call(name: name, number: numbers[name] ?? 1)
    }
  }

  private static let watched = [
    "open", "openat", "flock", "write", "fsync", "close", "rename", "renameat", "renameat2", "unlink",
    "unlinkat",
  ]

  /// What is wrong after one injection, or `nil`.
  private func inject(_ way: String, at call: Call) throws -> String? {
    let result = try save(under: ["-o", "/dev/null", "-e", "inject=\(call.name):\(way):when=\(call.number)"])
    let isKilled = way == "signal=KILL"
    if isKilled != (result.first == nil) { return "the process \(isKilled ? "lived" : "died")" }
    if let first = result.first, first != "saved 0", first != "failed 1" { return "the save said \(first)" }
    if !isKilled, way.hasPrefix("delay") || way.hasSuffix("EINTR"), result.first != "saved 0" {
      return "the save was not made in spite of \(way)"
    }
    if result.first == "saved 0", result.between != 2 { return "the save was acknowledged and is not there" }
    if result.between != 1 && result.between != 2 {
      return "neither the old archive nor the new one was there"
    }
    if result.second != "saved 0" || result.after != 3 { return "the next save did not succeed" }
    return result.strays == 0 ? nil : "a temporary file was left"
  }

  private struct Result {
    var first: String?
    var between: Int?
    var second: String?
    var after: Int?
    var strays = 0
  }

  /// Archives 1; then 2 in a process that `strace` holds; then 3 in the same process, or the next if that one died.
  private func save(under options: [String]) throws -> Result {
    try? FileManager.default.removeItem(atPath: folder)
    var result = Result()
    var child = try Child([isGroup ? "save-group" : "save", folder])
    _ = child.line()
    child.tell("1")
    _ = child.line()
    let tracer = try Tracer(of: child, options)
    child.tell("2")
    result.first = child.line()
    tracer.end(isDead: result.first == nil)
    result.between = count
    if result.first == nil {
      _ = child.wait()
      child = try Child([isGroup ? "save-group" : "save", folder])
      _ = child.line()
    }
    child.tell("3")
    result.second = child.line()
    _ = child.kill()
    result.after = count
    result.strays =
      ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter {
        $0.hasSuffix(".flask-tmp")
      }
      .count
    return result
  }

  private var count: Int? {
    if isGroup { return Pair(in: folder).count }
    let finding = Finding(reading: FileArchive(directory: URL(fileURLWithPath: folder)))
    return finding.isTorn ? nil : finding.state?.count
  }
}
