#if canImport(Darwin)
  import Darwin

  extension SystemCall {
    /// Waits until the bytes written to a file are on the device. A full flush is needed, since `fsync` alone leaves
    /// them in the device's cache on Apple's systems. `fsync` is used if the file system does not support the full
    /// flush.
    static func synchronize(_ descriptor: Int32) -> Int32 {
      let result = fcntl(descriptor, F_FULLFSYNC)
      return result == -1 && errno != EINTR && errno != EIO && errno != ENOSPC ? fsync(descriptor) : result
    }
  }
#endif
