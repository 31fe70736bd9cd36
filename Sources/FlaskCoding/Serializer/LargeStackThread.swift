internal import FlaskPrimitives
package import Foundation

/// A thread whose stack is large enough for deeply recursive work.
package enum LargeStackThread {
  /// Performs work on nested texts. A thread with a large stack is used if the texts are nested too deeply for the
  /// calling thread.
  ///
  /// - Parameter limit: how deep they may be nested.
  /// - Throws: the error of `body` as an `ArchiveError`; `.tooDeep` if the texts are nested deeper than the limit.
  package static func perform<Result>(
    on texts: [Data],
    limit: Int = NestingDepth.limit,
    _ body: () throws -> Result
  ) throws(ArchiveError) -> Result {
    let depth = texts.map { JSONText.depth(of: $0) }.max() ?? 0
    if depth > limit { throw .tooDeep(limit: limit) }
    return try ArchiveError.catching { try depth <= NestingDepth.shallow ? body() : perform(body) }
  }

  /// Performs `body` on a thread with a large stack while the calling thread waits. If the calling thread is doing the
  /// work of an archive, the other thread counts as doing this work too.
  ///
  /// - Throws: what `body` throws; `ArchiveError.system` if the system cannot create a thread now.
  package static func perform<Result>(_ body: () throws -> Result) throws -> Result {
    let work = ArchiveWork.current
    var result: Swift.Result<Result, any Error>?
    let isPerformed = LargeStack.run(size: size) {
      ArchiveWork.perform(work) { result = Swift.Result { try body() } }
    }
    guard isPerformed, let result else {
      throw ArchiveError.system(call: "pthread_create", code: EAGAIN, path: "a thread for nested values")
    }
    return try result.get()
  }

  /// The size of the stack in bytes. The default suffices: a state with 400 levels takes some 40 kilobytes of stack for
  /// each level. A test takes a size that no system has.
  @TaskLocal package static var size = 16 << 20
}
