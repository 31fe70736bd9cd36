/// The observers of a substance by the key they observe, so that a commit meets only those whose key changed.
struct ObserverIndex: ~Copyable {
  /// At `key + 1` the observers of that key; at 0 those of everything. There once anybody observes.
  private var slots: UnsafeMutablePointer<ListenerList>?
  private let slotCount: Int
  private var count = 0

  init(keyCount: Int) { slotCount = keyCount + 1 }

  deinit {
    slots?.deinitialize(count: slotCount)
    slots?.deallocate()
  }

  @inline(__always)
  var isEmpty: Bool { count == 0 }

  func copy() -> ObserverIndex {
    var copy = ObserverIndex(keyCount: slotCount - 1)
    guard let slots, count > 0 else { return copy }
    let new = UnsafeMutablePointer<ListenerList>.allocate(capacity: slotCount)
    for index in 0..<slotCount { (new + index).initialize(to: slots[index].copy()) }
    copy.slots = new
    copy.count = count
    return copy
  }

  /// Calls `body` with each observer of a key, or of everything (-1), in the order in which they were made.
  @inline(__always)
  func forEach(of key: Int, _ body: (ReactionListener) -> Void) { slots?[key + 1].forEach(body) }

  mutating func add(_ observer: ReactionListener, key: Int) {
    let slots = slots ?? makeSlots()
    slots[key + 1].append(observer)
    count += 1
  }

  mutating func remove(_ observer: ReactionListener, key: Int) {
    guard let slots else { return }
    let before = slots[key + 1].count
    slots[key + 1].removeAll { $0 === observer }
    count -= before - slots[key + 1].count
  }

  private mutating func makeSlots() -> UnsafeMutablePointer<ListenerList> {
    let new = UnsafeMutablePointer<ListenerList>.allocate(capacity: slotCount)
    for index in 0..<slotCount { (new + index).initialize(to: ListenerList()) }
    slots = new
    return new
  }
}
