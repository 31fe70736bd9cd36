internal import Foundation

/// The file of one part of a recording.
public struct RecordingPart: ~Copyable {
  private let file: OpenFile
  private let limits: RecordingLimits
  private var seal = RecordingSeal()
  private var buffer: [UInt8] = []
  private var byteCount = 0
  private var operationCount = 0
  /// How many bytes the states at the beginning took.
  private var beginning = 0

  /// A new file, which replaces an existing one.
  init(_ path: String, _ limits: RecordingLimits) throws {
    // A new file instead of the existing one, which others may be able to read, or may have put there in the meantime;
    // but a device stays.
    var status = stat()
    let isDevice = lstat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    if !isDevice, unlink(path) != 0 && errno != ENOENT {
      throw RecordingError.notWritten(path: path, code: errno)
    }
    file = try OpenFile(path, isDevice ? O_WRONLY : O_WRONLY | O_CREAT | O_EXCL)
    self.limits = limits
  }

  /// Where the part before that at a path is.
  public static func previousPath(_ path: String) -> String { path + ".previous" }

  static func makePrevious(_ path: String) throws {
    if rename(path, previousPath(path)) != 0 { throw RecordingError.notWritten(path: path, code: errno) }
  }

  static func removePrevious(_ path: String) throws {
    if unlink(previousPath(path)) != 0 && errno != ENOENT {
      throw RecordingError.notWritten(path: path, code: errno)
    }
  }

  /// Whether another part must be started: it has half of the allowed size.
  var isFull: Bool {
    if let most = limits.operations, operationCount * 2 >= most { return true }
    // States that are larger than the limit by themselves must not begin one part after the other.
    if let most = limits.bytes, operationCount > 0, byteCount * 2 >= max(most, 4 * beginning) { return true }
    return false
  }

  mutating func write(_ line: RecordingLine) throws {
    let count = buffer.count
    seal.seal(line, into: &buffer)
    byteCount += buffer.count - count
    if buffer.count >= 1 << 16 { try flush() }
  }

  mutating func didBegin() { beginning = byteCount }
  mutating func didWriteOperation() { operationCount += 1 }

  /// Passes the written bytes to the system, which keeps them if the process is killed.
  mutating func flush() throws {
    if buffer.isEmpty { return }
    try file.write(Data(buffer))
    buffer.removeAll(keepingCapacity: true)
  }
}
