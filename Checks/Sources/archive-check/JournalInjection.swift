@_spi(Checks) import FlaskArchive
import Foundation

/// What an archive with a journal is made to do while a system call of it goes wrong.
struct JournalStage {
  let name: String
  /// What the process is told.
  let command: String
  /// The files that it finds, by name.
  let files: [String: Data]
  /// The number of the ledger that they have.
  let count: Int
  /// How many faults reading them is worth.
  var faults = 0

  var isLoad: Bool { command == "load" }
  /// The number of the ledger that the command leads to.
  var next: Int { isLoad ? count : count + (command.split(separator: " ").last.flatMap { Int($0) } ?? 0) }
}

/// A way in which a system call goes wrong.
enum JournalInjection: String, CaseIterable {
  case inputOutput = "EIO"
  case full = "ENOSPC"
  case interrupted = "EINTR"
  case killed = "killed"
  /// Half is written, and the rest by the next call.
  case short = "cut short"
  /// Half is written, and there is no room for the rest.
  case shortThenFull = "cut short, then full"
  /// Half is written, and the process killed at the next call.
  case shortThenKilled = "cut short, then killed"

  /// Whether only calls that write can go wrong so.
  var isOfWrites: Bool { self == .short || self == .shortThenFull || self == .shortThenKilled }
  var isDeadly: Bool { self == .killed || self == .shortThenKilled }
  /// Whether nothing may be noticed of it.
  var isHarmless: Bool { self == .interrupted || self == .short }

  /// What `strace` is told of it.
  func options(for call: TracedCall) -> [String] {
    let (way, number): (String, Int) =
      switch self {
      case .inputOutput, .full, .interrupted: ("error=\(rawValue)", call.number)
      case .killed: ("signal=KILL", call.number)
      // Comes when the call has written its half.
      case .short: ("signal=PROF", call.number)
      // The limit does it.
      case .shortThenFull: ("signal=CONT", call.number)
      case .shortThenKilled: ("signal=KILL", call.number + 1)
      }
    return ["-e", "inject=\(call.name):\(way):when=\(number)"]
  }
}

/// A system call as `strace` saw it.
struct TracedCall: Hashable {
  let name: String
  /// Its number among those of its name that its thread makes.
  let number: Int
  /// Where the file of a call that writes two bytes or more would end with half of them.
  var half: Int?
}

/// The files of a folder.
struct FolderContents {
  let path: String

  var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] }
  var temporaries: Int { names.filter { $0.hasSuffix(".flask-tmp") }.count }

  /// The archives and their journals.
  var files: [String: Data] {
    get {
      let names = names.filter { $0.hasSuffix(".archive") || $0.hasSuffix(".journal") }
      return names.reduce(into: [:]) { files, name in
        files[name] = FileManager.default.contents(atPath: path + "/" + name)
      }
    }
    nonmutating set {
      try? FileManager.default.removeItem(atPath: path)
      // A first save makes the folder.
      if newValue.isEmpty { return }
      try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      for (name, data) in newValue {
        _ = FileManager.default.createFile(atPath: path + "/" + name, contents: data)
      }
    }
  }

  /// The ledger that the next start of a program would find, and how many faults there would be. In a copy of the
  /// folder, as reading clears up.
  func ledger(copyingTo copy: String) -> (ledger: Ledger?, faults: [String]) {
    try? FileManager.default.removeItem(atPath: copy)
    try? FileManager.default.copyItem(atPath: path, toPath: copy)
    let log = Log()
    guard case .state(let ledger) = Ledger.archiver(in: copy, log: log, { nil }).load() else {
      return (nil, log.all)
    }
    return (ledger.isWhole ? ledger : nil, log.all)
  }
}
