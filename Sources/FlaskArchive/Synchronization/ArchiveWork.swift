import Foundation

/// The work on one archive, and the mark that it leaves on the threads that do it.
///
/// While a thread does the work of an archive, the archive's queue is taken. Whoever is called on such a thread (a
/// state's `encode(to:)`, a backend) must not wait for that queue. The mark belongs to the thread, not to the queue,
/// because deep states are encoded on a thread of their own, and because a user may go on to a queue of his own.
final class ArchiveWork: Sendable {
  private static let mark = "FlaskArchive.work"

  /// The work that this thread does; `nil` if it does none. If one work is done inside another, this is the outer one,
  /// whose queue is taken.
  static var current: ArchiveWork? { Thread.current.threadDictionary[mark] as? ArchiveWork }

  /// Performs `body` on this thread as a part of `work`.
  static func perform<Result, Failure: Error>(
    _ work: ArchiveWork?,
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let work, current == nil else { return try body() }
    let marks = Thread.current.threadDictionary
    marks[mark] = work
    defer { marks.removeObject(forKey: mark) }
    return try body()
  }
}
