import Foundation

/// How much the long tests do: everything with `FLASK_FULL=1`, else enough to see the fault.
enum Workload {
  static let isFull = ProcessInfo.processInfo.environment["FLASK_FULL"] == "1"

  static func count(_ usual: Int, full: Int) -> Int { isFull ? full : usual }
}

/// How much the proofs do that take minutes: everything with `FLASK_PROOFS=1`, by hand, else a part of it.
enum Proof {
  static let isFull = ProcessInfo.processInfo.environment["FLASK_PROOFS"] == "1"

  static func count(_ count: Int, full: Int) -> Int { isFull ? full : count }
}
