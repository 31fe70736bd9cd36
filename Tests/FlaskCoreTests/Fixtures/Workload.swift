import Foundation

/// How much the long tests do: everything with `FLASK_FULL=1`, else enough to see the fault.
enum Workload {
  static let isFull = ProcessInfo.processInfo.environment["FLASK_FULL"] == "1"

  static func count(_ usual: Int, full: Int) -> Int { isFull ? full : usual }
}
