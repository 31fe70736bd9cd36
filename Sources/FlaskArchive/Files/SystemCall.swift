import Foundation

#if canImport(Darwin)
  import Darwin
#endif

/// System calls that report their failures as Swift errors.
enum SystemCall {
  /// Makes a system call, and repeats it while a signal interrupts it.
  ///
  /// - Throws: `ArchiveError.system` when it returns -1.
  @discardableResult
  static func perform<Result: SignedInteger>(
    _ name: String,
    _ path: String,
    _ call: () -> Result
  ) throws(ArchiveError) -> Result {
    while true {
      let result = call()
      if result != -1 { return result }
      guard errno == EINTR else { throw .system(call: name, code: errno, path: path) }
    }
  }

  /// Removes a file. Nothing happens if the file does not exist.
  ///
  /// - Returns: whether the file existed.
  /// - Throws: `ArchiveError.system`.
  @discardableResult
  static func remove(_ path: String) throws(ArchiveError) -> Bool {
    do throws(ArchiveError) {
      try perform("unlink", path) { unlink(path) }
      return true
    } catch .system(_, ENOENT, _) {
      return false
    }
  }

  /// Makes the names in a folder durable. If the file system cannot do that for folders, the call has no effect.
  ///
  /// - Throws: `ArchiveError.system`.
  static func synchronizeFolder(_ path: String) throws(ArchiveError) {
    do throws(ArchiveError) {
      try OpenFile(path, O_RDONLY | O_DIRECTORY).synchronize()
    } catch .system("fsync", EINVAL, _) {
      return
    }
  }

  /// Makes a folder and its parent folders durably, with access for this user alone. Nothing happens if the folder
  /// exists.
  ///
  /// - Throws: `ArchiveError.system`.
  static func makeFolder(_ path: String) throws(ArchiveError) {
    let parent = (path as NSString).deletingLastPathComponent
    do throws(ArchiveError) {
      try perform("mkdir", path) { mkdir(path, 0o700) }
    } catch .system(_, EEXIST, _) {
      // Another thread or process may have made it a moment ago, and may not have made its name durable yet.
      return try synchronizeFolder(parent)
    } catch .system(_, ENOENT, _) where path != "/" && !path.isEmpty {
      try makeFolder(parent)
      return try makeFolder(path)
    }
    try synchronizeFolder(parent)
  }
}

#if canImport(Darwin)
  extension SystemCall {
    /// Waits until the bytes written to a file are on the device. A full flush is needed, since `fsync` alone leaves
    /// them in the device's cache on Apple's systems. `fsync` is used if the file system does not support the full
    /// flush.
    static func synchronize(_ descriptor: Int32) -> Int32 {
      let result = fcntl(descriptor, F_FULLFSYNC)
      return result == -1 && errno != EINTR && errno != EIO && errno != ENOSPC ? fsync(descriptor) : result
    }
  }
#else
  extension SystemCall {
    /// Waits until the bytes written to a file are on the device.
    static func synchronize(_ descriptor: Int32) -> Int32 { fsync(descriptor) }
  }
#endif
