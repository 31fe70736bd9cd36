internal import Synchronization

/// The listeners of one substance: reactors in the order in which they were bound, and observers by key, so that a
/// commit reaches only observers of changed keys.
///
/// The performer reads the lists after it has published a commit. Any thread may change the lists, through the queue of
/// the flux, which makes each change while the performer does not read.
///
/// `@unchecked Sendable`:
/// - Isolation: the performer reads; `FluxQueue.change` orders each change between two reads.
/// - If violated: a data race, or a call of a released listener.
package final class Listeners: ListenerHome, @unchecked Sendable {
  private let queue: FluxQueue
  private let keyCount: Int
  /// The number of listeners, including those whose addition is deferred.
  private let count = Atomic<Int>(0)
  @exclusivity(unchecked) private var reactors = ListenerList()
  /// At index `key + 1` the observers of this key; at index 0 the observers of the whole state. Allocated with the
  /// first observer.
  @exclusivity(unchecked) private var observers: UnsafeMutablePointer<ListenerList>?

  /// - Parameter keyCount: the number of keys of the state.
  init(queue: FluxQueue, keyCount: Int) {
    self.queue = queue
    self.keyCount = keyCount
  }

  deinit {
    observers?.deinitialize(count: keyCount + 1)
    observers?.deallocate()
  }

  /// Whether there is no listener.
  @inline(__always)
  package var isEmpty: Bool { count.load(ordering: .sequentiallyConsistent) == 0 }

  /// Calls `body` with each list of listeners to notify of a commit, and the key that they observe: -1 for any, `nil`
  /// for reactors. Reactors are notified first, then the observers of everything, then the observers of the changed
  /// keys.
  @inline(__always)
  func forEachList(of commit: Commit, _ body: (borrowing ListenerList, _ key: Int?) -> Void) {
    if !reactors.isEmpty { body(reactors, nil) }
    guard let observers else { return }
    if !observers[0].isEmpty { body(observers[0], -1) }
    // The set is walked word by word here, since a call of one of its methods would copy the set.
    var keys = commit.changes.pointee.firstWord
    while keys != 0 {
      let key = keys.trailingZeroBitCount
      if !observers[key + 1].isEmpty { body(observers[key + 1], key) }
      keys &= keys &- 1
    }
    if !commit.changes.pointee.isBeyondFirstWord { return }
    commit.changes.pointee.forEachKey { key in if key > 63 { body(observers[key + 1], key) } }
  }

  // MARK: From any thread

  /// Adds the listener of a reactor at the end.
  func add(_ listener: Listener) {
    count.add(1, ordering: .sequentiallyConsistent)
    queue.change(self) { self.reactors.append(listener) }
  }

  /// Replaces the listener of a reactor by another listener, at the same position.
  func replace(_ old: Listener, with new: Listener) {
    queue.change(self) { self.reactors.replace(old, with: new) }
  }

  /// Removes the listener of a reactor. A commit in progress may still notify the listener, unless `Listener.retire()`
  /// was called.
  func remove(_ listener: Listener) {
    count.subtract(1, ordering: .sequentiallyConsistent)
    queue.change(self) { self.reactors.replace(listener, with: nil) }
  }

  /// Adds an observer of a key, or of everything (-1).
  package func add(_ observer: Listener, key: Int) {
    count.add(1, ordering: .sequentiallyConsistent)
    queue.change(self) { self.madeObservers[key + 1].append(observer) }
  }

  /// Removes an observer. A commit in progress may still notify the observer, unless `Listener.retire()` was called.
  package func remove(_ observer: Listener, key: Int) {
    count.subtract(1, ordering: .sequentiallyConsistent)
    queue.change(self) { self.observers?[key + 1].replace(observer, with: nil) }
  }

  private var madeObservers: UnsafeMutablePointer<ListenerList> {
    if let observers { return observers }
    let made = UnsafeMutablePointer<ListenerList>.allocate(capacity: keyCount + 1)
    for index in 0...keyCount { (made + index).initialize(to: ListenerList()) }
    observers = made
    return made
  }

  /// Removes all listeners when the substance is deallocated, and notifies them of the deallocation. No operation reads
  /// the lists at that time.
  func removeAll() {
    var removed: [Listener] = []
    queue.changeAtOnce(self) {
      removed = reactors.removeAll()
      for index in 0...keyCount { removed += observers?[index].removeAll() ?? [] }
    }
    for listener in removed { listener.subjectDidGo() }
  }
}
