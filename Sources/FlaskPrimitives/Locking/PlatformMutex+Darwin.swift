#if canImport(Darwin)
  import os

  /// An unfair lock at an address of its own: the platform's lock on Apple's systems.
  // @unchecked: the lock is there to be shared between threads; the pointer never changes and is freed once, by the
  // lock that owns it.
  @usableFromInline
  struct PlatformMutex: @unchecked Sendable {
    private let pointer: UnsafeMutablePointer<os_unfair_lock_s>

    /// Makes a lock, unlocked.
    init() {
      pointer = .allocate(capacity: 1)
      pointer.initialize(to: os_unfair_lock_s())
    }

    /// Waits until the lock is free, and takes it.
    @usableFromInline
    func lock() {
      os_unfair_lock_lock(pointer)
    }

    /// Lets go of the lock; only the thread that took it may.
    @usableFromInline
    func unlock() {
      os_unfair_lock_unlock(pointer)
    }

    /// Frees the lock, which nobody may use afterwards.
    func destroy() {
      pointer.deinitialize(count: 1)
      pointer.deallocate()
    }
  }
#endif
