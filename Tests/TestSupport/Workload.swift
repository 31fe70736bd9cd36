import Foundation

/// How much the long tests do: everything with `FLASK_FULL=1`, else enough to see the fault.
package enum Workload {
  package static let isFull = ProcessInfo.processInfo.environment["FLASK_FULL"] == "1"

  package static func count(_ usual: Int, full: Int) -> Int { isFull ? full : usual }

  /// Where random numbers begin: at `FLASK_SEED` if there is one, else always at the same place, or anywhere in a long
  /// run.
  package static var seed: UInt64 {
    ProcessInfo.processInfo.environment["FLASK_SEED"].flatMap(UInt64.init)
      ?? (isFull ? .random(in: 0 ... .max) : 1)
  }
}

/// How much the proofs do that take minutes: everything with `FLASK_PROOFS=1`, by hand, else a part of it.
package enum Proof {
  package static let isFull = ProcessInfo.processInfo.environment["FLASK_PROOFS"] == "1"

  /// - Parameter name: the environment variable that may give another count.
  package static func count(_ count: Int, full: Int, of name: String? = nil) -> Int {
    let given = name.flatMap { ProcessInfo.processInfo.environment[$0] }.flatMap { Int($0) }
    return given ?? (isFull ? full : count)
  }
}
