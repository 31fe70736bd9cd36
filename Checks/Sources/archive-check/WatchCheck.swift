import FlaskArchive
import Foundation

/// A shared group that the system does not tell of changes: that is one fault, and the group is saved all the same.
struct WatchCheck {
  let folder: String

  private static let failures = [
    "inotify_init1:error=EMFILE", "inotify_init1:error=ENOSYS", "inotify_add_watch:error=ENOSPC",
    "inotify_add_watch:error=EACCES",
  ]

  func run() throws {
    var complaints = 0
    for failure in Self.failures {
      guard let complaint = try complaint(about: failure) else { continue }
      complaints += 1
      print("\(failure): \(complaint)")
    }
    if let complaint = try complaintAboutReadOnly() {
      complaints += 1
      print("a folder that may only be read: \(complaint)")
    }
    print("\(Self.failures.count + 1) watchers that could not be had, \(complaints) failures")
    exit(complaints == 0 ? 0 : 1)
  }

  /// What is wrong if a system call fails, or `nil`.
  private func complaint(about failure: String) throws -> String? {
    try? FileManager.default.removeItem(atPath: folder)
    let program = URL(fileURLWithPath: CommandLine.arguments[0]).path
    let tracer = ["strace", "-f", "-o", "/dev/null", "-e", "inject=\(failure)"]
    let child = try Child(tracer + [program, "save-group", folder, "shared"], executable: "/usr/bin/env")
    _ = child.line()
    // The fault comes by itself, after some save.
    var number = 0
    var answer: String?
    repeat {
      number += 1
      child.tell("\(number)")
      answer = child.line()
    } while answer == "saved 0" && number < 10_000
    child.tell("\(number + 1)")
    let last = child.line()
    let status = child.finish()
    if status != 0 { return "the process ended with status \(status)" }
    if answer != "saved 1" { return "save \(number) said \(answer ?? "nothing")" }
    if last != "saved 1" { return "the save after the fault said \(last ?? "nothing")" }
    return Pair(in: folder).count == number + 1 ? nil : "what was saved is not there"
  }

  /// The same for a folder that nobody can be kept from writing by its modes, if the check has all rights.
  private func complaintAboutReadOnly() throws -> String? {
    try? FileManager.default.removeItem(atPath: folder)
    let first = Pair(in: folder, sharing: true)
    first.move(7, number: 1)
    guard first.group.archiveNow() else { return "the first save failed" }
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder)
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder) }
    if access(folder, W_OK) == 0 { return nil }
    first.move(7, number: 2)
    if first.group.archiveNow() { return "a save was acknowledged that can't have been made" }
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
    return first.group.archiveNow() ? nil : "the next save did not succeed"
  }
}
