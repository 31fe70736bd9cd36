import Flask
import Foundation

/// Makes, uses and drops everything that Flask can make, and looks at what is left.
///
///     leak-check leaks [count]     makes `count` of each, to be run under the leak check of AddressSanitizer
///     leak-check growth [count]    measures memory and time of `count` and of twice as many
///     leak-check … only <part>     only what has `part` in its name
@main
enum LeakCheck {
  static func main() async {
    var arguments = Array(CommandLine.arguments.dropFirst())
    var cases = Case.all
    if let only = arguments.firstIndex(of: "only"), only + 1 < arguments.count {
      cases = cases.filter { $0.name.contains(arguments[only + 1]) }
      arguments.removeSubrange(only...(only + 1))
    }
    let count = arguments.count > 1 ? Int(arguments[1]) : nil
    Flask.onFault = { Faults.shared.note($0) }
    switch arguments.first {
    case "leaks": await leaks(cases, count: count ?? 50)
    case "growth": await growth(cases, count: count ?? 100_000)
    default:
      print("usage: leak-check leaks|growth [count] [only <part of a name>]")
      exit(64)
    }
  }

  private static func leaks(_ cases: [Case], count: Int) async {
    for sample in cases {
      await sample.run(count)
      checkFaults(of: sample)
    }
    Flask.onFault = { _ in }
    await Flask.flushArchives()
    print("\(cases.count) kinds, \(count) of each, made, used and dropped")
  }

  private static func growth(_ cases: [Case], count: Int) async {
    var failures = 0
    for sample in cases {
      let count = max(1, count / sample.weight)
      let growth = await Growth.measure(sample, count: count)
      checkFaults(of: sample)
      print(growth)
      fflush(nil)
      if !growth.isFine { failures += 1 }
    }
    if failures > 0 {
      print("\(failures) of \(cases.count) kinds grow, or take more than linear time")
      exit(1)
    }
  }

  /// Nothing that is done here is a misuse, except where a case says so.
  private static func checkFaults(of sample: Case) {
    let unexpected = Faults.shared.take().filter { !sample.faults.contains($0.kind) }
    guard let first = unexpected.first else { return }
    print("✘ \(sample.name): \(unexpected.count) faults, the first: \(first)")
    exit(1)
  }
}

/// The faults since the last look, of each kind the first ones.
final class Faults: @unchecked Sendable {
  static let shared = Faults()

  // Guarded by `lock`.
  private var faults: [FlaskFault] = []
  private let lock = NSLock()

  func note(_ fault: FlaskFault) {
    lock.withLock {
      if faults.count < 10 || !faults.contains(where: { $0.kind == fault.kind }) { faults.append(fault) }
    }
  }

  func take() -> [FlaskFault] {
    lock.withLock {
      defer { faults = [] }
      return faults
    }
  }
}
