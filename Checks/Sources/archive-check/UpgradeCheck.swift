import FlaskArchive
import FlaskCore
import Foundation

/// What the older of two versions of a program keeps.
struct OlderCounts: FlaskState { var counts: [String: Int] = [:] }

/// What the newer one makes of it.
struct NewerCounts: FlaskState { var totals: [String: Int] = [:] }

private final class OlderBooks: Substance<OlderCounts>, @unchecked Sendable {}

private final class NewerBooks: Substance<NewerCounts>, @unchecked Sendable {
  override func archiveVersion() -> Int { 1 }
  override func migrateArchive(from version: Int, _ archive: inout ArchiveValue) {
    archive.rename("counts", to: "totals")
  }
}

/// One of two versions of a program that share a group: it counts, and says what is durable.
struct Upgraded {
  let folder: String
  let isNewer: Bool

  func run() {
    Flask.onFault = { _ in }
    let group = ArchiveGroup(
      "upgrade",
      in: FileArchive(directory: URL(fileURLWithPath: folder)),
      sharing: true,
      delay: 0.01
    )
    let older = isNewer ? nil : OlderBooks(name: "books", archive: true, in: group)
    let newer = isNewer ? NewerBooks(name: "books", archive: true, in: group) : nil
    Output.say("ready \(newer.map { text($0.state.totals) } ?? "")")
    var number = 0
    while let line = readLine() {
      switch line {
      case "count":
        number += 1
        let (key, value) = ("\(isNewer ? "newer" : "older") \(number)", number)
        older?.mix { $0.counts[key] = value }
        newer?.mix { $0.totals[key] = value }
        Output.say(group.archiveNow() ? "saved \(key)" : "refused")
      case "wait":
        usleep(20_000)
        Output.say("waited")
      default: Output.say(newer.map { text($0.state.totals) } ?? "")
      }
    }
    _exit(0)
  }

  private func text(_ totals: [String: Int]) -> String { totals.keys.sorted().joined(separator: ",") }
}

/// Replaces an older process by a newer one, in every order of reads, saves, arrivals and kills: what either has
/// acknowledged is there in the end, and the older one is refused once the newer one has saved.
struct UpgradeCheck {
  let folder: String
  let rounds: Int

  func run() throws {
    var (acknowledged, refused, lost) = (0, 0, 0)
    for round in 0..<rounds {
      let place = "\(folder)/\(round)"
      let older = try start(place, isNewer: false).child
      var newer: Child?
      var saved: Set<String> = []
      func tell(_ child: Child, _ line: String) {
        child.tell(line)
        let answer = child.line() ?? ""
        if answer.hasPrefix("saved ") { saved.insert(String(answer.dropFirst(6))) }
        if answer == "refused" { refused += 1 }
      }
      for _ in 0..<Int.random(in: 5..<25) {
        switch Int.random(in: 0..<6) {
        case 0 where newer == nil: newer = try start(place, isNewer: true).child
        case 1, 2: tell(older, "count")
        case 3: if let newer { tell(newer, "count") }
        case 4: tell(older, "wait")
        default: if let newer { tell(newer, "wait") }
        }
      }
      for child in [older, newer].compactMap({ $0 }).shuffled() { _ = child.kill() }
      let last = try start(place, isNewer: true)
      let missing = saved.subtracting(last.found)
      acknowledged += saved.count
      lost += missing.count
      if !missing.isEmpty { print("round \(round): \(missing.sorted()) are not in \(last.found.sorted())") }
      _ = last.child.kill()
    }
    print(
      "\(rounds) upgrades of two processes: \(acknowledged) acknowledged, \(refused) refused, \(lost) lost"
    )
    exit(lost == 0 && acknowledged > 0 ? 0 : 1)
  }

  private func start(_ place: String, isNewer: Bool) throws -> (child: Child, found: Set<String>) {
    let child = try Child(["upgraded", place, isNewer ? "newer" : "older"])
    let line = child.line() ?? ""
    return (child, Set(line.dropFirst(6).split(separator: ",").map(String.init)))
  }
}
