import Foundation

/// How much the long tests do: everything with `FLASK_FULL=1`, else enough to see the fault.
enum Workload {
  static let isFull = ProcessInfo.processInfo.environment["FLASK_FULL"] == "1"

  static func count(_ usual: Int, full: Int) -> Int { isFull ? full : usual }

  /// Where random numbers begin: at `FLASK_SEED` if there is one, else always at the same place, or anywhere in a long
  /// run.
  static var seed: UInt64 {
    ProcessInfo.processInfo.environment["FLASK_SEED"].flatMap(UInt64.init)
      ?? (isFull ? .random(in: 0 ... .max) : 1)
  }
}

/// How much the proofs do that take minutes: everything with `FLASK_PROOFS=1`, by hand, else a part of it.
enum Proof {
  static let isFull = ProcessInfo.processInfo.environment["FLASK_PROOFS"] == "1"

  static func count(_ count: Int, full: Int) -> Int { isFull ? full : count }
}

/// Random numbers that can be had again.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
