@_spi(Checks) import FlaskArchive
import Foundation
import SeededNumbers

/// Fails, interrupts, cuts short, and kills at, each system call of an archive with a journal, by `strace`: of its
/// first save, of one that begins a journal, of one that appends to it, of one that folds it in, and of reading it,
/// whole, torn and damaged.
///
/// Nothing that was acknowledged is lost, nothing is torn, an error is one fault, and the next saves succeed.
struct JournalInjectionCheck {
  let folder: FolderContents
  /// How many injections to make at most, spread over all; 0 for all.
  let limit: Int

  private struct Injection {
    let stage: JournalStage
    let call: TracedCall
    let way: JournalInjection
  }

  func run() throws {
    var injections: [Injection] = []
    var isTraced = true
    for stage in try stages() {
      let calls = try calls(of: stage)
      print("\(stage.name) is: \(calls.map { "\($0.name)#\($0.number)" }.joined(separator: " "))")
      if calls.count < 8 { isTraced = false }
      for call in calls {
        for way in JournalInjection.allCases where !way.isOfWrites || call.half != nil {
          injections.append(Injection(stage: stage, call: call, way: way))
        }
      }
    }
    let all = injections.count
    let seed =
      ProcessInfo.processInfo.environment["FLASK_SEED"].flatMap(UInt64.init) ?? .random(in: 0...999_999)
    if limit > 0 {
      var numbers = SeededGenerator(seed: seed)
      injections = Array(injections.shuffled(using: &numbers).prefix(limit))
    }
    var failures = 0
    for injection in injections {
      guard let complaint = try complaint(of: injection) else { continue }
      failures += 1
      let call = injection.call
      print("\(injection.stage.name), \(call.name)#\(call.number) \(injection.way.rawValue): \(complaint)")
    }
    print("\(injections.count) of \(all) injections, seed \(seed), \(failures) failures")
    exit(failures == 0 && isTraced ? 0 : 1)
  }

  // MARK: What is there before

  private func stages() throws -> [JournalStage] {
    folder.files = [:]
    let cell = LedgerCell()
    let archiver = Ledger.archiver(in: folder.path, log: Log()) { cell.value }
    func save(_ changes: Int) throws {
      for _ in 0..<changes { cell.value.advance() }
      archiver.stateChanged()
      try archiver.archiveNow()
    }
    try save(1)
    let archive = folder.files
    let step = max(1, Ledger.size / 40)
    try save(1)
    try save(1)
    let short = folder.files
    var full = short
    var last = 3
    // Until the journal is gone, since it would have become larger than the archive.
    repeat {
      (full, last) = (folder.files, cell.value.count)
      try save(step)
    } while folder.files.keys.contains { $0.hasSuffix(".journal") }
    return [
      JournalStage(name: "a first save", command: "save 1", files: [:], count: 0),
      JournalStage(name: "beginning a journal", command: "save 1", files: archive, count: 1),
      JournalStage(name: "appending", command: "save 1", files: short, count: 3),
      JournalStage(name: "folding in", command: "save \(step)", files: full, count: last),
      JournalStage(name: "reading", command: "load", files: short, count: 3),
      JournalStage(
        name: "reading what is torn",
        command: "load",
        files: changed(short) { $0.dropLast(9) },
        count: 2
      ),
      JournalStage(
        name: "reading what is damaged",
        command: "load",
        files: changed(short) { $0.dropLast() + [$0[$0.count - 1] ^ 1] },
        count: 2,
        faults: 1
      ),
      JournalStage(
        name: "saving what is torn",
        command: "save 1",
        files: changed(short) { $0.dropLast(9) },
        count: 2
      ),
    ]
  }

  private func changed(_ files: [String: Data], _ change: (Data) -> Data) -> [String: Data] {
    files.reduce(into: [:]) { $0[$1.key] = $1.key.hasSuffix(".journal") ? change($1.value) : $1.value }
  }

  /// The system calls of a stage, from a run that is only watched.
  private func calls(of stage: JournalStage) throws -> [TracedCall] {
    let log = folder.path + "-strace.log"
    let child = try begin(stage)
    _ = try perform(stage, in: child, under: ["-y", "-o", log])
    _ = child.kill()
    // `strace` counts the calls of each thread by itself, and all of a save are made on one.
    var numbers: [String: Int] = [:]
    return try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").compactMap { line in
      guard let match = line.firstMatch(of: /^([0-9]+) +([a-z0-9_]+)\(/) else { return nil }
      let name = String(match.2)
      guard Self.watched.contains(name) else { return nil }
      numbers[match.1 + name, default: 0] += 1
      var call = TracedCall(name: name, number: numbers[match.1 + name] ?? 1)
      if name == "write", let match = line.firstMatch(of: /<([^>]*)>.* = ([0-9]+)$/), let size = Int(match.2),
        size > 1
      {
        // A journal is appended to, all else written from its beginning.
        let start =
          match.1.hasSuffix(".journal") ? stage.files.first { $0.key.hasSuffix(".journal") }?.value.count : 0
        call.half = (start ?? 0) + size / 2
      }
      return call
    }
  }

  private static let watched = [
    "open", "openat", "flock", "read", "write", "fsync", "close", "rename", "renameat", "renameat2", "unlink",
    "unlinkat", "fstat", "newfstatat", "lstat", "access", "faccessat", "faccessat2", "mkdir", "getdents64",
  ]

  // MARK: What comes of it

  /// What is wrong after one injection, or `nil`.
  private func complaint(of injection: Injection) throws -> String? {
    let (stage, way) = (injection.stage, injection.way)
    var child = try begin(stage)
    defer { _ = child.kill() }
    if way.isOfWrites, let half = injection.call.half { _ = ask(child, "limit \(half)") }
    let answer = try perform(stage, in: child, under: ["-o", "/dev/null"] + way.options(for: injection.call))
    if way.isDeadly != (answer == nil) { return "the process \(way.isDeadly ? "lived" : "died")" }
    if folder.temporaries > 1 { return "several temporary files were left" }
    let found = read()
    guard let count = found.ledger?.count, found.faults.count <= stage.faults else {
      return "it is torn: \(found.faults)"
    }
    if count != stage.next, count != stage.count || answer?.verb == "saved" { return "\(count) was there" }
    if let answer {
      if let complaint = complaint(of: answer, stage, way) { return complaint }
      _ = ask(child, "limit 0")
      if answer.verb == "unreadable" {
        guard let refused = ask(child, "save 1"), refused.verb == "failed", refused.faults == 1 else {
          return "what could not be read was written over"
        }
        guard let again = ask(child, "load"), again.verb == "state", again.count == count else {
          return "what could not be read is not there when it can"
        }
      }
    } else {
      _ = child.wait()
      child = try Child(["save-ledger", folder.path])
      _ = child.line()
      let verb = count == 0 ? "absent" : "state"
      guard let again = ask(child, "load"), again.verb == verb, again.count == count else {
        return "the next start did not find \(count)"
      }
    }
    for number in ["next", "one after the next"] {
      guard let saved = ask(child, "save 1"), saved.verb == "saved", saved.faults == 0,
        let after = read().ledger,
        after.count == saved.count
      else { return "the \(number) save did not succeed" }
    }
    return folder.temporaries == 0 ? nil : "a temporary file was left"
  }

  private func complaint(of answer: Answer, _ stage: JournalStage, _ way: JournalInjection) -> String? {
    let verbs = stage.isLoad ? ["state", "unreadable"] : ["saved", "failed"]
    guard verbs.contains(answer.verb) else { return "it said \(answer)" }
    if way.isHarmless, answer.verb != verbs[0] { return "it was not done: \(answer)" }
    // What a load writes, to keep what is damaged, it can do without.
    if way == .shortThenFull, !stage.isLoad, answer.verb != verbs[1] { return "nothing was cut short" }
    let expected = (answer.verb == verbs[0] ? 0 : 1)
    if answer.faults > max(expected, stage.faults) { return "there were \(answer.faults) faults" }
    if answer.faults < expected { return "there was no fault" }
    if answer.verb == "state", answer.count != stage.count { return "it read \(answer.count)" }
    return nil
  }

  // MARK: The process

  private struct Answer {
    let verb: String
    let count: Int
    let faults: Int

    init?(_ line: String?) {
      guard let words = line?.split(separator: " "), let verb = words.first else { return nil }
      self.verb = String(verb)
      count = words.count > 1 ? Int(words[1]) ?? -1 : 0
      faults = words.count > 2 ? Int(words[2]) ?? -1 : 0
    }
  }

  /// A process that has done what comes before a stage.
  private func begin(_ stage: JournalStage) throws -> Child {
    folder.files = stage.files
    let child = try Child(["save-ledger", folder.path])
    _ = child.line()
    if !stage.isLoad { _ = ask(child, "load") }
    return child
  }

  private func ask(_ child: Child, _ command: String) -> Answer? {
    child.tell(command)
    return Answer(child.line())
  }

  /// What the process says to the command of a stage, held by `strace`; `nil` if it dies.
  private func perform(_ stage: JournalStage, in child: Child, under options: [String]) throws -> Answer? {
    let tracer = try Tracer(of: child, options)
    let answer = ask(child, stage.command)
    tracer.end(isDead: answer == nil)
    return answer
  }

  private func read() -> (ledger: Ledger?, faults: [String]) {
    // A first save that was killed leaves nothing.
    if folder.files.isEmpty { return (Ledger(), []) }
    return folder.ledger(copyingTo: folder.path + "-copy")
  }
}
