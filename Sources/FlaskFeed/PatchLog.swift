internal import Foundation

/// The newest patches of a state, numbered from 1, with a limit for their count and their bytes.
///
/// A reader has a position in the log, and no separate buffer. A reader whose position is before the oldest patch gets
/// the whole state.
struct PatchLog {
  /// The next content for a reader.
  enum News: Equatable {
    case nothing
    /// A JSON Patch from the reader's version to the newest one.
    case patch(Data)
    /// The reader needs the whole state.
    case state
  }

  private let limit: Int
  private let byteLimit: Int
  /// The operations of each patch as JSON, without the brackets of the array.
  private var patches: [Data] = []
  private var start = 0
  private var bytes = 0
  private(set) var version = 0

  init(limit: Int, byteLimit: Int) {
    self.limit = limit
    self.byteLimit = byteLimit
  }

  private var count: Int { patches.count - start }

  /// Adds the patch from the present version to the next version. If it is `nil`, all patches are dropped, so that
  /// readers get the whole state.
  mutating func append(_ patch: Data?) {
    version += 1
    guard let operations = patch?.dropFirst().dropLast() else {
      patches = []
      start = 0
      bytes = 0
      return
    }
    patches.append(operations)
    bytes += operations.count
    while count > limit || bytes > byteLimit, count > 0 {
      bytes -= patches[start].count
      patches[start] = Data()
      start += 1
    }
    // The remaining patches are moved only when half of the list has been dropped, so each patch is moved about once.
    if start > patches.count / 2 {
      patches.removeFirst(start)
      start = 0
    }
  }

  /// The content that follows a version.
  func news(after known: Int) -> News {
    if known == version { return .nothing }
    if known < version - count || known > version { return .state }
    return .patch(
      Data("[".utf8) + patches[(patches.count - (version - known))...].joined(separator: [44])
        + Data("]".utf8)
    )
  }
}
