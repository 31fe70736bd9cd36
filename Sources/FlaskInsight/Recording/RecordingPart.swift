internal import Foundation

/// One part of a recording, which is one file.
package struct RecordingPart: ~Copyable {
  private let file: OpenFile
  private let limits: RecordingLimits
  private var seal = RecordingSeal()
  private var buffer: [UInt8] = []
  private var byteCount = 0
  private var operationCount = 0
  /// The number of bytes of the states at the beginning of the part.
  private var beginning = 0

  /// Makes a new file, which replaces an existing file.
  init(_ path: String, _ limits: RecordingLimits) throws {
    // An existing regular file is replaced by a new file: other processes may have access to it, or may have created it
    // in the meantime. A file of another kind, such as a device, is written to as it is.
    var status = stat()
    let isDevice = lstat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    if !isDevice, unlink(path) != 0 && errno != ENOENT {
      throw RecordingError.notWritten(path: path, code: errno)
    }
    file = try OpenFile(path, isDevice ? O_WRONLY : O_WRONLY | O_CREAT | O_EXCL)
    self.limits = limits
  }

  /// The path of the previous part of a recording, whose newest part is at `path`.
  package static func previousPath(_ path: String) -> String { path + ".previous" }

  static func makePrevious(_ path: String) throws {
    if rename(path, previousPath(path)) != 0 { throw RecordingError.notWritten(path: path, code: errno) }
  }

  static func removePrevious(_ path: String) throws {
    if unlink(previousPath(path)) != 0 && errno != ENOENT {
      throw RecordingError.notWritten(path: path, code: errno)
    }
  }

  /// Whether the next part must be started: this part has reached half of the limit.
  var isFull: Bool {
    if let most = limits.operations, operationCount * 2 >= most { return true }
    // A part whose states alone exceed the limit must also contain operations. Otherwise every part would be full at
    // its beginning.
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
