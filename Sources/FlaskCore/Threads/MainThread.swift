internal import Dispatch

/// Knows whether the running code is on the main actor, asked from nonisolated code.
///
/// `Thread.isMainThread` is wrong for main-queue work under an `async main` on Linux, so the main queue is marked
/// once and the mark looked for.
enum MainThread {
  private static let mark: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) == true }
}
