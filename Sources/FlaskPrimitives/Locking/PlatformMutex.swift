#if canImport(Darwin)
  import os
  typealias SystemMutex = os_unfair_lock_s
#else
  typealias SystemMutex = pthread_mutex_t
#endif

/// The platform's lock at an address of its own: an unfair lock on Apple's systems, elsewhere a POSIX mutex.
// `@unchecked Sendable`:
// - Ownership: the pointer never changes, and is freed once, by the lock that owns it.
// - Invariant: the platform's lock is made to be shared between threads.
// - If violated: a use of freed memory.
@usableFromInline
struct PlatformMutex: @unchecked Sendable {
  private let pointer: UnsafeMutablePointer<SystemMutex>

  /// Makes a lock, unlocked.
  init() {
    pointer = .allocate(capacity: 1)
    pointer.initialize(to: SystemMutex())
    #if !canImport(Darwin)
      pthread_mutex_init(pointer, nil)
    #endif
  }

  /// Waits until the lock is free, and takes it.
  @usableFromInline
  func lock() {
    #if canImport(Darwin)
      os_unfair_lock_lock(pointer)
    #else
      pthread_mutex_lock(pointer)
    #endif
  }

  /// Releases the lock. May be called only by the thread that holds the lock.
  @usableFromInline
  func unlock() {
    #if canImport(Darwin)
      os_unfair_lock_unlock(pointer)
    #else
      pthread_mutex_unlock(pointer)
    #endif
  }

  /// Frees the lock, which must not be used afterwards.
  func destroy() {
    #if !canImport(Darwin)
      pthread_mutex_destroy(pointer)
    #endif
    pointer.deinitialize(count: 1)
    pointer.deallocate()
  }
}
