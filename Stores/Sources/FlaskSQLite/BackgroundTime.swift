internal import Foundation

/// Time for a transaction while an app goes to the background: a process that is suspended while it holds a lock in a
/// folder that apps share is ended by the system.
enum BackgroundTime {
  #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
    static func extended<Result>(_ body: () throws -> Result) throws -> Result {
      let isDone = DispatchSemaphore(value: 0)
      let isGranted = DispatchSemaphore(value: 0)
      ProcessInfo.processInfo.performExpiringActivity(withReason: "a transaction of a shared group") {
        isExpired in
        isGranted.signal()
        // The activity lasts as long as this closure.
        if !isExpired { isDone.wait() }
      }
      isGranted.wait()
      defer { isDone.signal() }
      return try body()
    }
  #else
    static func extended<Result>(_ body: () throws -> Result) throws -> Result { try body() }
  #endif
}
