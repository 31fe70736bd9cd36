import FlaskPrimitives
import Foundation

/// Checks that changes of a counter come one by one.
///
/// `@unchecked Sendable`: everything mutable is touched under `lock` only.
final class Order: @unchecked Sendable {
  private let lock = NSLock()
  private var last = 0
  private var isBroken = false

  var steps: Int { lock.withLock { last } }
  var isKept: Bool { lock.withLock { !isBroken } }

  func check(_ old: Int, _ new: Int) {
    lock.withLock {
      if old != last || new != last + 1 { isBroken = true }
      last = new
    }
  }
}
