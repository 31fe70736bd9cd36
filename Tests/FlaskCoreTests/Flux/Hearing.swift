import FlaskPrimitives
import Foundation

@testable import FlaskCore

/// What one reactor hears in a run of `RandomOrderTests`, and what is wrong with it.
///
/// `@unchecked Sendable`: everything mutable is touched under `lock` only.
final class Hearing: @unchecked Sendable {
  /// A place at which a handler may run.
  enum Place: CaseIterable { case none, main, first, second }

  /// The numbers of the last commit before it was bound, and after.
  private struct Episode { let before, after: Int }

  private let lock = NSLock()
  private var numbers: [Int] = []
  private var isRunning = false
  private var isReentered = false
  private var misplaced: [Place] = []
  private var episodes: [Episode] = []

  var last: Int { lock.withLock { numbers.last ?? 0 } }

  func bound(before: Int, after: Int) {
    lock.withLock { episodes.append(Episode(before: before, after: after)) }
  }

  /// A handler begins that belongs to a place, and is there or not.
  func begin(_ number: Int, at place: Place, isThere: Bool) {
    lock.withLock {
      if isRunning { isReentered = true }
      isRunning = true
      numbers.append(number)
      if !isThere { misplaced.append(place) }
    }
  }

  func end() { lock.withLock { isRunning = false } }

  /// What is wrong; empty if nothing is.
  func faults(upTo end: Int) -> [String] {
    lock.withLock {
      var faults: [String] = []
      if isReentered { faults.append("entered while it ran") }
      if !misplaced.isEmpty { faults.append("\(misplaced.count) at the wrong place: \(misplaced[0])") }
      var last = 0
      for number in numbers {
        if number <= last { faults.append("\(number) after \(last)") }
        // A commit is seen before it is told: who is bound in between hears it.
        let isFirst = episodes.contains { number >= $0.before && number <= $0.after + 1 }
        if number > last + 1 && !isFirst { faults.append("lost \(last + 1) to \(number - 1)") }
        last = number
      }
      if last != end { faults.append("heard until \(last) of \(end)") }
      return faults
    }
  }
}
