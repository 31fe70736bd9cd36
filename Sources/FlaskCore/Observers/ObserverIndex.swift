internal import Synchronization

/// The observers of a substance by the key they observe, so that a commit meets only those whose key changed.
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
  func forEach(of key: Int, before round: Int, _ body: (ReactionListener) -> Void) {
    lists?[key + 1].forEach(before: round, body)
  }

  // MARK: Under the lock

  /// Returns memory to be freed when nobody reads, if any is left behind.
  func add(_ observer: ReactionListener, key: Int, round: Int) -> UnsafeMutableRawPointer? {
    let lists = lists ?? makeLists()
    let old = lists[key + 1].append(observer, round: round)
    count.add(1, ordering: .sequentiallyConsistent)
    return old
  }

  /// Removes one that is there. Only when nobody reads.
  func remove(_ observer: ReactionListener, key: Int) {
    guard let lists else { return }
    let before = lists[key + 1].count
    lists[key + 1].remove(observer)
    count.subtract(before - lists[key + 1].count, ordering: .sequentiallyConsistent)
  }

  private func makeLists() -> UnsafeMutablePointer<ListenerList> {
    let new = UnsafeMutablePointer<ListenerList>.allocate(capacity: slotCount)
    for index in 0..<slotCount { (new + index).initialize(to: ListenerList()) }
    slots.store(UnsafeMutableRawPointer(new), ordering: .releasing)
    return new
  }
}
