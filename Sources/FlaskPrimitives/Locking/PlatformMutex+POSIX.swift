#if !canImport(Darwin)
  /// A POSIX mutex at an address of its own: the platform's lock where there is no Darwin.
  // @unchecked: a mutex is there to be shared between threads; the pointer never changes and is freed once, by the
  // lock that owns it.
  @usableFromInline
  struct PlatformMutex: @unchecked Sendable {
    private let pointer: UnsafeMutablePointer<pthread_mutex_t>

    /// Makes a mutex, unlocked.
    init() {
      pointer = .allocate(capacity: 1)
      pointer.initialize(to: pthread_mutex_t())
      pthread_mutex_init(pointer, nil)
    }

    /// Waits until the mutex is free, and takes it.
    @usableFromInline
    func lock() {
      pthread_mutex_lock(pointer)
    }

    /// Lets go of the mutex; only the thread that took it may.
    @usableFromInline
    func unlock() {
      pthread_mutex_unlock(pointer)
    }

    /// Frees the mutex, which nobody may use afterwards.
    func destroy() {
      pthread_mutex_destroy(pointer)
      pointer.deinitialize(count: 1)
      pointer.deallocate()
    }
  }
#endif
