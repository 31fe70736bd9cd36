internal import Synchronization

/// Counts the publications of states of the process that begin and end. The version of a state and the state itself are
/// not replaced in one step, and states of several substances are published one after the other. So a reader who takes
/// no lock compares the two counts to find out whether any publication was in progress.
package enum Publications {
  private static let begun = Atomic<Int>(0)
  private static let ended = Atomic<Int>(0)

  @inline(__always)
  static func begin() { begun.add(1, ordering: .sequentiallyConsistent) }
  @inline(__always)
  static func end() { ended.add(1, ordering: .sequentiallyConsistent) }

  /// The result of `read`, if no publication was in progress at any time during this call; `nil` otherwise.
  ///
  /// All publications that had begun when `read` ended had ended when it began.
  @inline(__always)
  package static func between<Result>(_ read: () -> Result?) -> Result? {
    let ended = ended.load(ordering: .sequentiallyConsistent)
    let result = read()
    return begun.load(ordering: .sequentiallyConsistent) == ended ? result : nil
  }
}
