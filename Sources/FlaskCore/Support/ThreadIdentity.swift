internal import Dispatch
internal import FlaskPrimitives
internal import Synchronization

/// The number of the running thread, unique among living threads and never 0.
package enum ThreadIdentity {
  @inline(__always)
  package static var current: UInt {
    #if canImport(Darwin)
      return UInt(bitPattern: pthread_self())
    #else
      return UInt(pthread_self())
    #endif
  }
}

/// Makes a thread-specific key. Fails only if the process has used all keys, of which a system has hundreds. The
/// program then stops, since key 0 may belong to other code.
private func makeThreadKey() -> pthread_key_t {
  var key = pthread_key_t()
  let failure = pthread_key_create(&key, nil)
  precondition(failure == 0, "no place on the threads of the process is left")
  return key
}

/// A slot for one reference on each thread. The reference is not retained: the code that stores it removes it before
/// the object is deallocated.
///
/// For the context of synchronous code. Unlike a task-local value it belongs to the thread, and tasks that are started
/// in the meantime don't inherit it.
///
/// `@unchecked Sendable`:
/// - Isolation: each thread has its own value.
/// - Invariant: the key is constant; the code that stores a reference removes it before the object is deallocated.
/// - If violated: a use of a deallocated object.
package final class ThreadSlot<Object: AnyObject>: @unchecked Sendable {
  private let key: pthread_key_t

  package init() { key = makeThreadKey() }

  deinit { pthread_key_delete(key) }

  /// The reference of the running thread.
  @inline(__always)
  package var object: UnretainedReference<Object>? {
    get { pthread_getspecific(key).map { UnretainedReference(reference: .fromOpaque($0)) } }
    set { pthread_setspecific(key, newValue.map { UnsafeRawPointer($0.reference.toOpaque()) }) }
  }
}

/// A number on each thread, 0 at first. For counting how deeply a function recurses over values.
package final class ThreadCounter: Sendable {
  private let key: pthread_key_t

  package init() { key = makeThreadKey() }

  deinit { pthread_key_delete(key) }

  /// Calls `body` one level deeper, with the number of levels.
  package func deeper<Result>(_ body: (Int) throws -> Result) rethrows -> Result {
    try at(Int(bitPattern: pthread_getspecific(key)) + 1, body)
  }

  /// Calls `body` at a level, such as that of a thread that waits for this one.
  package func at<Result>(_ depth: Int, _ body: (Int) throws -> Result) rethrows -> Result {
    let outer = pthread_getspecific(key)
    pthread_setspecific(key, UnsafeRawPointer(bitPattern: depth))
    defer { pthread_setspecific(key, outer) }
    return try body(depth)
  }
}

/// Determines, for nonisolated code, whether the running code is on the main actor.
///
/// `Thread.isMainThread` is wrong for main-queue work under an `async main` on Linux, so the main queue is marked once,
/// and the mark is checked. The process's first thread is remembered when it was found on the main queue. From then on,
/// all code on this thread counts as main-actor code, since no other thread serves the main queue meanwhile.
package enum MainThread {
  private static let mark: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()
  private static let firstThread = Atomic<UInt>(0)
  private static let looks = Atomic<Int>(0)

  @inline(__always)
  package static var isCurrent: Bool {
    firstThread.load(ordering: .relaxed) == ThreadIdentity.current || isMarked()
  }

  @inline(never)
  private static func isMarked() -> Bool {
    guard DispatchQueue.getSpecific(key: mark) == true else { return false }
    // Code on the main queue checks at most 16 times whether it runs on the first thread of the process. The limit is
    // for programs in which other threads serve the main queue, so that the check never succeeds.
    if looks.add(1, ordering: .relaxed).oldValue < 16 && isFirstThread {
      firstThread.store(ThreadIdentity.current, ordering: .relaxed)
    }
    return true
  }

  private static var isFirstThread: Bool {
    #if canImport(Darwin)
      return pthread_main_np() == 1
    #elseif os(Linux)
      return isFirstThreadOnLinux
    #else
      return false
    #endif
  }

  #if os(Linux)
    /// On Linux the first thread has the number of the process: `/proc/thread-self` is `<process>/task/<thread>`.
    private static var isFirstThreadOnLinux: Bool {
      var buffer = [CChar](repeating: 0, count: 64)
      let count = readlink("/proc/thread-self", &buffer, 63)
      guard count > 0 else { return false }
      let parts = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self).split(
        separator: "/"
      )
      return parts.count == 3 && parts[0] == parts[2]
    }
  #endif
}
