import Foundation
import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

/// What is dropped is gone, with no call by the user. In a process of its own, so that memory is this test's alone.
@Suite struct AttachAndDropTests {
  /// A substance that counts those that live.
  final class Counted: Substance<Tally>, @unchecked Sendable {
    static let living = Recorder<Int>()

    deinit { Counted.living.append(-1) }
  }

  private static func cycle() {
    let listener = KeysListener()
    let substance = Counted()
    Counted.living.append(1)
    let reactor = Flask.attachReactor(to: listener, mixing: substance)
    reactor.mix(substance) { $0.prop.counter += 1 }.react()
    precondition(listener.heard.count == 1)
  }

  /// The resident memory in bytes; `nil` where it can't be told.
  private static func residentMemory() -> Int? {
    let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    return text?.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 4096 }
  }

  @Test func `many cycles of attaching and dropping leave nothing`() async {
    await #expect(processExitsWith: .success) {
      let rounds = Workload.count(40_000, full: 100_000) / 10
      for _ in 0..<rounds { Self.cycle() }
      let before = Self.residentMemory()
      for _ in 0..<9 * rounds { Self.cycle() }
      let after = Self.residentMemory()
      let made = Counted.living.all.filter { $0 == 1 }.count
      precondition(made == 10 * rounds)
      ReactorManager.purge()
      precondition(ReactorManager.reactors.isEmpty)
      precondition(Counted.living.all.reduce(0, +) == 0)
      // The records of the count itself take 16 bytes a cycle, and an array doubles.
      let allowed = rounds * 1_600
      if let before, let after { precondition(after - before < allowed, "grew by \(after - before) bytes") }
    }
  }

  @Test func `what dead owners leave behind never outgrows what lives`() async {
    await #expect(processExitsWith: .success) {
      for _ in 0..<1000 { Self.cycle() }
      precondition(Counted.living.all.reduce(0, +) <= 3)
    }
  }
}
