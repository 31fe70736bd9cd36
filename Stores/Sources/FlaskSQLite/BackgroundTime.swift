internal import FlaskSharing
internal import Foundation
internal import Synchronization

/// Time for a transaction while an app goes to the background: a process that is suspended while it holds a lock in a
/// folder that apps share is ended by the system.
enum BackgroundTime {
  #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
    private final class Activity: Sendable {
      let isDone = DispatchSemaphore(value: 0)
      let isBegun = DispatchSemaphore(value: 0)
      let isExpired = Atomic<Bool>(false)
    }

    /// - Parameter body: gets a function that says whether the process is about to be suspended, so that nothing may be
    ///   written any more.
    /// - Throws: `RecordStoreError.unavailable` if no time is granted.
    static func extended<Result>(_ body: (_ isExpired: () -> Bool) throws -> Result) throws -> Result {
      let activity = Activity()
      ProcessInfo.processInfo.performExpiringActivity(withReason: "a transaction of a shared group") {
        isExpired in
        if isExpired { activity.isExpired.store(true, ordering: .relaxed) }
        activity.isBegun.signal()
        // The activity lasts as long as this closure.
        if !isExpired { activity.isDone.wait() }
      }
      activity.isBegun.wait()
      defer { activity.isDone.signal() }
      if activity.isExpired.load(ordering: .relaxed) {
        throw RecordStoreError.unavailable("the app is about to be suspended")
      }
      return try body { activity.isExpired.load(ordering: .relaxed) }
    }
  #else
    static func extended<Result>(_ body: (_ isExpired: () -> Bool) throws -> Result) throws -> Result {
      try body { false }
    }
  #endif
}
