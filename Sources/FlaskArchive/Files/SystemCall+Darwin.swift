#if canImport(Darwin)
  import Darwin

  extension SystemCall {
    /// Waits until the bytes written to a file are on the device. `fsync` alone leaves them in the device's cache
    /// there. A file system that does not support the full flush gets `fsync`.
    static func synchronize(_ descriptor: Int32) -> Int32 {
      let result = fcntl(descriptor, F_FULLFSYNC)
      return result == -1 && errno != EINTR && errno != EIO && errno != ENOSPC ? fsync(descriptor) : result
    }
  }
#endif
