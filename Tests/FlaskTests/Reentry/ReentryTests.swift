@testable import FlaskPrimitives
import Foundation
import Testing

@testable import FlaskArchive
@testable import FlaskCore
import TestSupport

/// Every public entry point, called from every place, returns or is a fault: none hangs, none traps, nothing is lost.
///
/// Each place has a process of its own, in which the entry points are called one after the other. A watchdog ends it
/// if one does not return; the last line on standard error names the pair.
@Suite struct ReentryTests {
  static let contexts = Context.places + Context.operations

  /// How many processes at a time.
  private static let lanes = 3

  @Test(arguments: 0..<lanes) func `from every place`(lane: Int) async {
    for place in Self.contexts.indices where place % Self.lanes == lane { await tryAll(from: place) }
  }

  /// All of them with `FLASK_PROOFS=1`, else a quarter, which is another one from each place.
  private static func entries(at place: Int) -> [Entry] {
    Entry.all.enumerated().filter { Proof.isFull || ($0.offset + place) % 4 == 0 }.map(\.element)
  }

  private func tryAll(from place: Int) async {
    let log = PairLog()
    await #expect(processExitsWith: .success, "\(Self.contexts[place].name)") {
      [place = place as Int, path = log.path as String] in
      let context = ReentryTests.contexts[place]
      let watchdog = Watchdog(PairLog(path))
      for entry in ReentryTests.entries(at: place) {
        watchdog.watch("\(context.name) × \(entry.name)")
        Probe.answer.set(nil)
        let stage = Stage(entry)
        await Flux.$current.withValue(stage.flux) { await context.enter(stage) }
        Probe.answer.set(nil)
        if let failure = await stage.verdict() { report(failure) }
      }
      watchdog.end()
      exit(Failures.all.count == 0 ? EXIT_SUCCESS : 3)
    }
    log.recordIfFailed()
  }

  @Test func `from the end of the process`() async {
    let log = PairLog()
    await #expect(processExitsWith: .success) { [path = log.path as String] in
      let watchdog = Watchdog(PairLog(path))
      for entry in Entry.all {
        let stage = Stage(entry)
        ProcessExit.prepare {
          watchdog.watch("the end of the process × \(entry.name)")
          Flux.$current.withValue(stage.flux) { stage.call() }
          if !stage.isCalled { _exit(4) }
        }
      }
      ProcessExit.prepare { watchdog.end() }
      exit(EXIT_SUCCESS)
    }
    log.recordIfFailed()
  }
}

/// A file in which a process writes which pair it tries, and what failed.
struct PairLog: Sendable {
  /// The log of this process, if it is one that tries pairs.
  static let current = Lock<PairLog?>(nil)

  let path: String

  init(_ path: String? = nil) {
    self.path =
      path ?? FileManager.default.temporaryDirectory.path
      + "/flask-reentry-\(UInt64.random(in: 0...UInt64.max))"
  }

  func write(_ line: String) {
    guard let file = fopen(path, "a") else { return }
    fputs(line + "\n", file)
    fclose(file)
  }

  /// Records the last pair, and what failed before, unless all went well.
  func recordIfFailed() {
    let lines = ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: "\n")
    try? FileManager.default.removeItem(atPath: path)
    if lines.last == "done" { return }
    let failed = lines.indices.filter { lines[$0].hasPrefix("FAILED") || lines[$0].hasPrefix("HANGS") }
    let text =
      failed.map { "\($0 > 0 ? lines[$0 - 1] : ""): \(lines[$0])" } + lines.suffix(1).map { "last: \($0)" }
    Issue.record("\(text.joined(separator: "\n"))")
  }
}

/// What failed in this process.
enum Failures {
  static let all = Recorder<String>()
}

/// Notes that something failed in this process.
func report(_ failure: String) {
  Failures.all.append(failure)
  PairLog.current.withLock { $0 }?.write("FAILED: \(failure)")
}

/// Ends the process if one step takes longer than anything could.
final class Watchdog: Sendable {
  private let steps = Lock((number: 0, isOver: false))
  private let log: PairLog

  /// How long one step may take.
  private static let bound = DispatchTimeInterval.seconds(30)

  init(_ log: PairLog) {
    self.log = log
    PairLog.current.withLock { $0 = log }
  }

  /// A step begins.
  func watch(_ name: String) {
    let number = steps.withLock { steps in
      steps.number += 1
      return steps.number
    }
    log.write(name)
    DispatchQueue.global(qos: .userInteractive).asyncAfter(deadline: .now() + Watchdog.bound) {
      let isStuck = self.steps.withLock { $0.number == number && !$0.isOver }
      if !isStuck { return }
      self.log.write("HANGS")
      _exit(5)
    }
  }

  /// The last step is over.
  func end() {
    steps.withLock { $0.isOver = true }
    if Failures.all.count == 0 { log.write("done") }
  }
}
