@_spi(Checks) import FlaskArchive
import FlaskCore
import FlaskEntities
import Foundation

/// One of two accounts: large enough to be torn, and to have a journal.
struct Account: FlaskState {
  struct Row: Codable, Identifiable, Sendable {
    let id: Int
    var moves = 0
    var filling = String(repeating: "x", count: 60)
  }

  var amount = 0
  var moves = 0
  var rows: Entities<Row> = Entities((0..<200).map { Row(id: $0) })

  mutating func move(_ difference: Int, number: Int?) {
    amount += difference
    moves = number ?? moves + 1
    rows[id: moves % 200]?.moves = moves
    if moves.isMultiple(of: 5) { rows.move(id: moves % 200, to: moves % 199) }
  }

  /// Whether its rows are those of its last move.
  var isWhole: Bool {
    rows.count == 200 && (moves == 0 || rows[id: moves % 200]?.moves == moves)
      && rows.allSatisfy { $0.moves <= moves }
  }
}

/// Two accounts of a group. What one operation changes, it changes in both.
struct Pair: Sendable {
  let group: ArchiveGroup
  let first: Substance<Account>
  let second: Substance<Account>
  let faults = Log()

  init(in folder: String) {
    let faults = faults
    let flux = Flux()
    flux.onFault = { faults.add("\($0)") }
    (group, first, second) = Flux.$current.withValue(flux) {
      let archive = FileArchive(directory: URL(fileURLWithPath: folder))
      let group = ArchiveGroup("pair", in: archive, delay: .seconds(3_600))
      return (
        group, Substance<Account>(name: "first", archive: true, in: group),
        Substance<Account>(name: "second", archive: true, in: group)
      )
    }
  }

  /// How many moves both know of; `nil` if they are not of one moment, or damaged.
  var count: Int? {
    let (first, second) = (first.state, second.state)
    let isOne =
      first.amount + second.amount == 0 && first.moves == second.moves && first.isWhole && second.isWhole
    return isOne && faults.all.allSatisfy({ $0.contains("another process") }) ? first.moves : nil
  }

  func move(_ amount: Int, number: Int? = nil) {
    let owner = Bearer()
    Flask.reactor(attachedTo: owner, mixing: [first, second])
      .mixing(first) { $0.prop.move(-amount, number: number) }
      .with(second) { $0.prop.move(amount, number: number) }
      .andReact(isolation: nil)
  }

  private final class Bearer: Sendable {}
}

/// Moves amounts without end on one thread, saves on another, and says after each save what it has made durable.
struct Mover {
  let folder: String

  func run() {
    let pair = Pair(in: folder)
    Thread {
      var amount = 0
      while true {
        amount = (amount &* 31 &+ 7) % 1_000
        pair.move(amount)
        if amount % 64 == 0 { usleep(100) }
      }
    }.start()
    while true {
      let moves = pair.first.state.moves
      guard pair.group.archiveNow() else { exit(1) }
      FileHandle.standardOutput.write(Data("\(moves)\n".utf8))
    }
  }
}

/// Kills a process that moves amounts between two substances of a group, at random moments: the sum is right at each
/// start, and what was acknowledged is there.
struct GroupCrashCheck {
  let folder: String
  let count: Int

  func run() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    var (torn, lost, saves, last) = (0, 0, 0, 0)
    for _ in 0..<count {
      let child = try Child(["move", folder])
      if let line = child.line() { last = Int(line) ?? last }
      usleep(UInt32.random(in: 0..<20_000))
      let acknowledged = child.kill()
      saves += 1 + acknowledged.count
      last = acknowledged.last.flatMap(Int.init) ?? last
      let pair = Pair(in: folder)
      if let count = pair.count {
        if count < last { lost += 1 }
        last = count
      } else {
        torn += 1
      }
    }
    print("\(count) kills, \(saves) saves of a group acknowledged, \(last) moves: \(torn) torn, \(lost) lost")
    exit(torn == 0 && lost == 0 && saves > count ? 0 : 1)
  }
}

/// Saves a group whenever it is told to by a line with a number, and says what came of it and how many faults there were.
struct GroupSaver {
  let folder: String

  func run() {
    let pair = Pair(in: folder)
    Output.say("ready")
    while let line = readLine() {
      let before = pair.faults.all.count
      pair.move(7, number: Int(line) ?? 0)
      let isSaved = pair.group.archiveNow()
      let faults = pair.faults.all.count - before
      Output.say("\(isSaved ? "saved" : "failed") \(faults)")
    }
    // Nothing more is to be saved by the end of the process, which is part of no check here.
    _exit(0)
  }
}

/// Prints lines by a system call that no save makes, and that is not made to fail therefore.
enum Output {
  static func say(_ text: String) {
    var line = Array("\(text)\n".utf8)
    line.withUnsafeMutableBytes { bytes in
      var vector = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
      _ = writev(STDOUT_FILENO, &vector, 1)
    }
  }
}
