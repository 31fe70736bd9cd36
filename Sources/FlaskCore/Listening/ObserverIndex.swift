internal import Synchronization

/// The observers of a substance by the key they observe, so that a commit goes only to those whose key changed.
///
/// Written and read as `ListenerList` is.
struct ObserverIndex: ~Copyable {
  /// At `key + 1` the observers of that key; at 0 those of everything. There once anybody observes.
  private let slots = Atomic<UnsafeMutableRawPointer?>(nil)
  private let count = Atomic<Int>(0)
  private let slotCount: Int

  init(keyCount: Int) { slotCount = keyCount + 1 }

  deinit {
    lists?.deinitialize(count: slotCount)
    lists?.deallocate()
  }

  @inline(__always)
  private var lists: UnsafeMutablePointer<ListenerList>? {
    slots.load(ordering: .acquiring)?.assumingMemoryBound(to: ListenerList.self)
  }

  @inline(__always)
  var isEmpty: Bool { count.load(ordering: .sequentiallyConsistent) == 0 }

  /// Calls `body` with each observer of a key, or of everything (-1), in the order in which they were made.
  @inline(__always)
  func forEach(of key: Int, before epoch: Int, _ body: (Listener) -> Void) {
    lists?[key + 1].forEach(before: epoch, body)
  }

  // MARK: In `Epoch.change`

  /// Returns memory to be freed when nobody reads, if any is left behind.
  func add(_ observer: Listener, key: Int, epoch: Int) -> UnsafeMutableRawPointer? {
    let lists = lists ?? makeLists()
    let old = lists[key + 1].append(observer, epoch: epoch)
    count.add(1, ordering: .sequentiallyConsistent)
    return old
  }

  /// Removes one. Returns it, to be released when nobody reads; `nil` if it is not there.
  func remove(_ observer: Listener, key: Int) -> Borrowed<Listener>? {
    guard let lists, let removed = lists[key + 1].remove(observer) else { return nil }
    count.subtract(1, ordering: .sequentiallyConsistent)
    return removed
  }

  /// Closes up. Only when nobody reads.
  func compactIfSparse(_ key: Int) { lists?[key + 1].compactIfSparse() }

  /// Leaves nothing. Returns those that were there, to be released when nobody reads.
  func removeAll() -> [Listener] {
    guard let lists else { return [] }
    count.store(0, ordering: .sequentiallyConsistent)
    return (0..<slotCount).flatMap { lists[$0].removeAll() }
  }

  private func makeLists() -> UnsafeMutablePointer<ListenerList> {
    let new = UnsafeMutablePointer<ListenerList>.allocate(capacity: slotCount)
    for index in 0..<slotCount { (new + index).initialize(to: ListenerList()) }
    slots.store(UnsafeMutableRawPointer(new), ordering: .releasing)
    return new
  }
}
