/// A lock with the value that it guards: the only lock type of the package.
///
/// It wraps the platform's own lock, which ThreadSanitizer can see. It is not recursive: `withLock` inside the
/// `withLock` of the same lock never returns. No client code may run inside.
///
/// Inlinable, since the lock is on the hot path of every module.
///
/// **The value must not be a closure**, but a struct that contains the closure. If `Value` is a closure type, the
/// closure is stored in another form. Each read inside of `withLock` wraps it in a thunk and stores the wrapped
/// closure, until calling it overflows the stack.
///
/// **A replaced value is returned** from `withLock` and released by the caller outside of the lock, if client code may
/// have written its `deinit`, or if it may retain such an object. Releasing it may call client code, which must not run
/// under the lock. `withLockReleasing` does that.
///
/// Any thread may call `withLock`; other threads wait meanwhile.
@usableFromInline
package final class Lock<Value>: @unchecked Sendable {
  // `@unchecked Sendable`:
  // - Ownership: both pointers are set by `init` and freed by `deinit`, when no other reference is left.
  // - Isolation: `value` is read and written only between `lock()` and `unlock()` of `mutex`.
  // - Invariant: `init` takes a `sending` value, so no other code has the content at first. `withLock` may return a
  //   part of the content: that part is a value, or `Sendable`, or its own type says what else orders its uses.
  // - If violated: a data race.
  @usableFromInline
  let mutex: PlatformMutex

  @usableFromInline
  let value: UnsafeMutablePointer<Value>

  /// Makes a lock around `value`, unlocked.
  package init(_ value: consuming sending Value) {
    mutex = PlatformMutex()
    self.value = .allocate(capacity: 1)
    self.value.initialize(to: value)
  }

  deinit {
    value.deinitialize(count: 1)
    value.deallocate()
    mutex.destroy()
  }

  /// Waits for the lock, calls `body` with the value, and unlocks, also if `body` throws.
  ///
  /// - Parameter body: uses the value; short, and calling no client code.
  /// - Returns: what `body` returns.
  /// - Throws: what `body` throws.
  @inlinable
  @inline(__always)
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    mutex.lock()
    // `defer` is not used here: it would be compiled into a function of its own, for which generic code looks up the
    // type of the result.
    do throws(Failure) {
      let result = try body(&value.pointee)
      mutex.unlock()
      return result
    } catch {
      mutex.unlock()
      throw error
    }
  }

  /// Calls `body` with the value as `withLock` does, for code that replaces values. The result of `body` is released
  /// after the lock.
  @inlinable
  @inline(__always)
  package func withLockReleasing<Replaced>(_ body: (inout Value) -> Replaced) {
    let replaced = withLock(body)
    withExtendedLifetime(replaced) {}
  }
}
