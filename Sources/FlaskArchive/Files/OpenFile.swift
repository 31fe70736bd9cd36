package import Foundation

/// An open file or folder, closed when it is released. Interrupted calls are repeated, incomplete ones are continued.
package struct OpenFile: ~Copyable {
  private let descriptor: Int32
  private let path: String

  /// Opens the file or folder at `path`. A link at the end of the path is refused, and child processes do not inherit
  /// the open file.
  ///
  /// - Throws: `ArchiveError.system`.
  package init(_ path: String, _ flags: Int32, mode: mode_t = 0o600) throws(ArchiveError) {
    self.path = path
    descriptor = try SystemCall.perform("open", path) {
      open(path, flags | O_CLOEXEC | O_NOFOLLOW, mode)
    }
  }

  deinit {
    // An error of `close` is ignored, since data that must not be lost was synchronized before.
    _ = close(descriptor)
  }

  /// Reads everything, if it is a regular file and not larger than `limit`.
  ///
  /// - Parameter isText: whether reading ends at the first zero byte. A text has no zero byte, and a file may have a
  ///   hole of any size.
  /// - Throws: `ArchiveError.notAFile`, `.tooLarge` or `.system`.
  package borrowing func contents(limit: Int, isText: Bool = false) throws(ArchiveError) -> Data {
    let descriptor = descriptor
    let path = path
    var status = stat()
    try SystemCall.perform("fstat", path) { fstat(descriptor, &status) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: path) }
    guard status.st_size <= limit else { throw .tooLarge(bytes: Int(status.st_size), limit: limit) }
    var data = Data()
    var buffer = [UInt8](repeating: 0, count: min(1 << 20, Int(status.st_size)) + 1)
    while true {
      let count = try SystemCall.perform("read", path) { read(descriptor, &buffer, buffer.count) }
      guard count > 0 else { return data }
      let end = isText ? buffer[..<count].firstIndex(of: 0) : nil
      data.append(contentsOf: buffer[..<(end.map { $0 + 1 } ?? count)])
      if end != nil { return data }
      guard data.count <= limit else { throw .tooLarge(bytes: data.count, limit: limit) }
    }
  }

  /// Reads the bytes of a range, or fewer if the file is shorter.
  ///
  /// - Throws: `ArchiveError.system`.
  borrowing func contents(_ range: Range<Int>) throws(ArchiveError) -> Data {
    let descriptor = descriptor
    let path = path
    let count = range.count
    var data = Data()
    var buffer = [UInt8](repeating: 0, count: count)
    while data.count < count {
      let start = off_t(range.lowerBound + data.count)
      let found = try SystemCall.perform("pread", path) {
        pread(descriptor, &buffer, count - data.count, start)
      }
      guard found > 0 else { return data }
      data.append(contentsOf: buffer[..<found])
    }
    return data
  }

  /// The number of bytes in the file.
  ///
  /// - Throws: `ArchiveError.system`.
  borrowing func size() throws(ArchiveError) -> Int {
    let descriptor = descriptor
    var status = stat()
    try SystemCall.perform("fstat", path) { fstat(descriptor, &status) }
    return Int(status.st_size)
  }

  /// Writes all of `data` at the file's position.
  ///
  /// - Throws: `ArchiveError.system`.
  package borrowing func write(_ data: Data) throws(ArchiveError) {
    let descriptor = descriptor
    let path = path
    var written = 0
    while written < data.count {
      let count = try SystemCall.perform("write", path) {
        data.withUnsafeBytes { bytes in
          let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
          return Foundation.write(descriptor, rest.baseAddress, rest.count)
        }
      }
      guard count > 0 else { throw .system(call: "write", code: EIO, path: path) }
      written += count
    }
  }

  /// Waits until the written bytes are on the device.
  ///
  /// - Throws: `ArchiveError.system`.
  package borrowing func synchronize() throws(ArchiveError) {
    let descriptor = descriptor
    try SystemCall.perform("fsync", path) { SystemCall.synchronize(descriptor) }
  }

  /// Takes the file's exclusive lock, which is released when the file is closed or the process ends.
  ///
  /// - Parameter isWaiting: whether to wait until another owner of the lock unlocks the file.
  /// - Returns: whether the lock was taken.
  /// - Throws: `ArchiveError.system`.
  borrowing func lock(isWaiting: Bool) throws(ArchiveError) -> Bool {
    let descriptor = descriptor
    do throws(ArchiveError) {
      try SystemCall.perform("flock", path) { flock(descriptor, isWaiting ? LOCK_EX : LOCK_EX | LOCK_NB) }
      return true
    } catch .system(_, EWOULDBLOCK, _) {
      return false
    }
  }

  /// Unlocks the file at once, even if a process that was forked in the meantime has the file open too.
  borrowing func unlock() {
    _ = flock(descriptor, LOCK_UN)
  }
}
