#if !canImport(Darwin)
  import Foundation

  extension SystemCall {
    /// Waits until what was written to a file is on the device.
    static func synchronize(_ descriptor: Int32) -> Int32 {
      fsync(descriptor)
    }
  }
#endif
