import FlaskArchive
import FlaskCore
import FlaskEntities
import Foundation

/// What several processes share: a key for each, which it alone changes, and some that all change.
struct Shared: FlaskState {
  var own: [String: Int] = [:]
  var common = 0
  var others = [0, 0]
  /// Many, so that there is a journal; and one for each process.
  var rows: Entities<Row> = Entities((1_000..<1_300).map { Row(id: $0) })

  struct Row: Codable, Identifiable, Sendable {
    let id: Int
    var count = 0
    var filling = String(repeating: "x", count: 60)
  }

  mutating func advance(_ number: Int) {
    own["\(number)", default: 0] += 1
    let count = own["\(number)"] ?? 0
    rows.append(Row(id: number, count: count))
    if count.isMultiple(of: 9) { rows.move(id: number, to: count % 200) }
  }
}

/// One of several processes that change a shared archive at random, as it is told to by lines.
struct Partner {
  let folder: String
  let number: Int

  func run() {
    Flask.onFault = { fault in FileHandle.standardError.write(Data("\(fault)\n".utf8)) }
    let group = ArchiveGroup(
      "shared",
      in: FileArchive(directory: URL(fileURLWithPath: folder)),
      sharing: true,
      delay: 0.02
    )
    let substance = Substance<Shared>(name: "shared", archive: true, in: group)
    let owner = Holder()
    let reactor = Flask.reactor(attachedTo: owner, mixing: substance) { _, _ in }
    let key = "\(number)"
    let isOver = Cell()
    let saves = Cell()
    let done = DispatchSemaphore(value: 0)
    Output.say("ready \(substance.state.own[key] ?? 0)")
    Thread {
      while isOver.value == 0 {
        let choice = Int.random(in: 0..<10)
        switch choice {
        case 0..<5: reactor.mix(substance) { $0.prop.advance(number) }.react(isolation: nil)
        case 5:
          reactor.mix(substance) { $0.prop.common = Int.random(in: 1...1_000_000) }.react(isolation: nil)
        case 6:
          reactor.mix(substance) { $0.prop.others = [number, Int.random(in: 0..<9)] }.react(isolation: nil)
        case 7:
          let own = substance.state.own[key] ?? 0
          guard group.archiveNow() else { continue }
          saves.value += 1
          // Nobody reads before the end, and a pipe does not hold much.
          if saves.value % 20 == 0 { Output.say("saved \(own)") }
        default: usleep(UInt32.random(in: 0..<20_000))
        }
      }
      done.signal()
    }.start()
    while let line = readLine() {
      switch line {
      case "stop":
        isOver.value = 1
        done.wait()
        let own = substance.state.own[key] ?? 0
        Output.say(group.archiveNow() ? "stopped \(own)" : "failed")
      case "save": Output.say(group.archiveNow() ? "saved" : "failed")
      default:
        let state = substance.state
        let areWhole = state.rows.count == 300 + state.own.count
        let own = state.own.sorted { $0.key < $1.key }.map { key, count in
          let row = Int(key).flatMap { state.rows[id: $0]?.count } ?? -1
          return "\(key)=\(row == count && areWhole ? "\(count)" : "\(count)/\(row)/\(state.rows.count)")"
        }.joined(separator: " ")
        Output.say("state \(own) common=\(state.common) others=\(state.others)")
      }
    }
    _exit(0)
  }

  private final class Holder: Sendable {}
}

/// Has several processes change one shared archive, and kills some. In the end all have the same state; no last change
/// of a key that only one changes is lost, of what was acknowledged before a kill nothing; and nobody writes when nothing
/// changes.
struct PartnersCheck {
  let folder: String
  let count: Int
  let seconds: Int

  func run() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    var partners = try (0..<count).map { try start($0).child }
    var (kills, lost) = (0, 0)
    let end = Date().addingTimeInterval(Double(seconds))
    while Date() < end {
      usleep(UInt32.random(in: 50_000..<500_000))
      guard Int.random(in: 0..<2) == 0 else { continue }
      let victim = Int.random(in: 0..<count)
      let saved =
        partners[victim].kill().compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }.max() ?? 0
      kills += 1
      let (child, own) = try start(victim)
      partners[victim] = child
      if own < saved { lost += 1 }
    }
    var last: [Int] = []
    for partner in partners { last.append(stop(partner)) }
    for partner in partners { answer(partner, to: "save") }
    let states = settle(partners)
    let isOne = Set(states).count == 1
    let own = (0..<count).map { "\($0)=\(last[$0])" }.joined(separator: " ")
    let isKept = states.allSatisfy { $0.hasPrefix("state \(own) common=") }
    let before = writes
    for partner in partners { answer(partner, to: "save") }
    usleep(500_000)
    let isQuiet = writes == before
    for partner in partners { _ = partner.kill() }
    print(
      """
      \(count) processes, \(seconds) s, \(kills) kills: \(isOne ? "one state" : "states differ: \(states)"), \
      \(isKept ? "no last change lost" : "a last change is lost: \(own) is not in \(states)"), \
      \(lost) acknowledged changes lost, \(isQuiet ? "nothing" : "something") written when nothing changed
      """
    )
    exit(isOne && isKept && isQuiet && lost == 0 ? 0 : 1)
  }

  private func start(_ number: Int) throws -> (child: Child, own: Int) {
    let child = try Child(["partner", folder, "\(number)"])
    let line = child.line() ?? ""
    return (child, line.split(separator: " ").last.flatMap { Int($0) } ?? -1)
  }

  private func stop(_ partner: Child) -> Int {
    let line = answer(partner, to: "stop", beginningWith: "stopped")
    return line.split(separator: " ").last.flatMap { Int($0) } ?? -1
  }

  @discardableResult
  private func answer(_ partner: Child, to line: String, beginningWith start: String = "") -> String {
    partner.tell(line)
    while let answer = partner.line() { if answer.hasPrefix(start) { return answer } }
    return "died"
  }

  /// The states of all, as soon as they are the same, or after ten seconds.
  private func settle(_ partners: [Child]) -> [String] {
    var states: [String] = []
    for _ in 0..<100 {
      states = partners.map { answer($0, to: "state", beginningWith: "state") }
      if Set(states).count == 1 { break }
      usleep(100_000)
    }
    return states
  }

  /// What tells one write of the archive from the next: each makes a new file, or a longer journal.
  private var writes: [UInt64] {
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    return names.filter { $0.hasSuffix(".archive") || $0.hasSuffix(".journal") }.map { name in
      var status = stat()
      return stat("\(folder)/\(name)", &status) == 0
        ? UInt64(status.st_ino) ^ UInt64(status.st_size) ^ UInt64(bitPattern: Int64(status.st_mtim.tv_nsec))
        : 0
    }
  }
}
