internal import FlaskPrimitives
import Foundation

/// A thread whose stack is large enough for deeply recursive work.
enum LargeStackThread {
  /// 400 levels, at some 40 kilobytes each.
  private static let stackSize = 16 << 20

  /// Performs what works on texts: on such a thread if they are nested too deep for this one.
  ///
  /// - Parameter limit: how deep they may be nested.
  /// - Throws: what `body` throws, as an error of an archive; `.tooDeep`.
  static func perform<Result>(
    on texts: [Data],
    limit: Int = NestingDepth.limit,
    _ body: () throws -> Result
  ) throws(ArchiveError) -> Result {
    let depth = texts.map { JSONText.depth(of: $0) }.max() ?? 0
    if depth > limit { throw .tooDeep(limit: limit) }
    return try ArchiveError.catching { try depth <= NestingDepth.shallow ? body() : perform(body) }
  }

  /// Performs `body` on such a thread while the calling thread waits. If the calling thread does the work of an
  /// archive, so does the other one.
  ///
  /// - Throws: what `body` throws.
  static func perform<Result>(_ body: () throws -> Result) throws -> Result {
    try withoutActuallyEscaping(body) { body in
      let passage = Passage(body)
      let done = DispatchSemaphore(value: 0)
      let work = ArchiveWork.current
      let thread = Thread {
        ArchiveWork.perform(work) { passage.perform() }
        done.signal()
      }
      thread.stackSize = stackSize
      thread.start()
      done.wait()
      guard let result = passage.takeResult() else { throw ArchiveError.tooDeep(limit: NestingDepth.limit) }
      return try result.get()
    }
  }

  /// Brings the work to the thread and its result back.
  // @unchecked: the calling thread fills it, then waits; the other thread alone uses it until it signals; the
  // semaphore orders the two.
  private final class Passage<Result>: @unchecked Sendable {
    private var body: (() throws -> Result)?
    private var result: Swift.Result<Result, any Error>?

    init(_ body: @escaping () throws -> Result) {
      self.body = body
    }

    func perform() {
      if let body { result = Swift.Result { try body() } }
      body = nil
    }

    func takeResult() -> Swift.Result<Result, any Error>? {
      defer { result = nil }
      return result
    }
  }
}
