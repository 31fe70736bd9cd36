import Foundation
import Testing

@_spi(FlaskInternals) @testable import FlaskArchive
@testable import FlaskCore

extension Hardening {
  /// Every public entry point, called from every place, returns or is a fault: none hangs, none traps, nothing is lost.
  ///
  /// Each place has a process of its own, in which the entry points are called one after the other. A watchdog ends it if one does
  /// not return; the last line on standard error names the pair.
  @Suite struct MatrixTests {
    static let contexts = Context.places + Context.operations

    @Test(arguments: contexts.indices) func `from one place`(place: Int) async throws {
      let result = await #expect(
        processExitsWith: .success,
        observing: [\.standardErrorContent],
        "\(Self.contexts[place].name)"
      ) { [place = place as Int] in
        let context = MatrixTests.contexts[place]
        let watchdog = Watchdog()
        for entry in Entry.all {
          watchdog.watch("\(context.name) × \(entry.name)")
          Probe.answer.set(nil)
          let stage = Stage(entry)
          await Flux.$current.withValue(stage.flux) { await context.enter(stage) }
          Probe.answer.set(nil)
          if let failure = await stage.verdict() { report("\(context.name) × \(entry.name): \(failure)") }
        }
        watchdog.end()
        exit(Failures.count.withLock { $0 } == 0 ? EXIT_SUCCESS : 3)
      }
      print(result, of: Self.contexts[place])
    }

    @Test func `from the end of the process`() async throws {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        let watchdog = Watchdog()
        for entry in Entry.all {
          let stage = Stage(entry)
          Archivers.atExit {
            watchdog.watch("the end of the process × \(entry.name)")
            Flux.$current.withValue(stage.flux) { stage.call() }
            if !stage.isCalled { _exit(4) }
          }
        }
        Archivers.atExit { watchdog.end() }
        exit(EXIT_SUCCESS)
      }
      print(result, of: Context.atExit)
    }

    /// Says which pair was the last one if the process did not end well.
    private func print(_ result: ExitTest.Result?, of context: Context) {
      guard let result, result.exitStatus != .exitCode(0) else { return }
      let lines = String(decoding: result.standardErrorContent, as: UTF8.self).split(separator: "\n")
      Issue.record("\(context.name):\n\(lines.suffix(12).joined(separator: "\n"))")
    }
  }
}

/// Counts what failed in this process.
enum Failures {
  static let count = Lock(0)
}

/// Notes that something failed in this process.
func report(_ failure: String) {
  Failures.count.withLock { $0 += 1 }
  FileHandle.standardError.write(Data("FAILED: \(failure)\n".utf8))
}

/// Ends the process if one step takes longer than anything could.
final class Watchdog: Sendable {
  private let steps = Lock((number: 0, name: "", isOver: false))

  /// How long one step may take.
  private static let bound = DispatchTimeInterval.seconds(20)

  /// A step begins.
  func watch(_ name: String) {
    let number = steps.withLock { steps in
      steps.number += 1
      steps.name = name
      return steps.number
    }
    FileHandle.standardError.write(Data("\(name)\n".utf8))
    DispatchQueue.global(qos: .userInteractive).asyncAfter(deadline: .now() + Watchdog.bound) {
      let isStuck = self.steps.withLock { $0.number == number && !$0.isOver }
      if !isStuck { return }
      FileHandle.standardError.write(Data("HANGS: \(name)\n".utf8))
      _exit(5)
    }
  }

  /// The last step is over.
  func end() { steps.withLock { $0.isOver = true } }
}
