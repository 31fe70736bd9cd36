internal import Synchronization

/// Listeners in the order in which they were added.
///
/// Written by one thread at a time, in `Epoch.change`; read meanwhile by the performer, who takes no lock and counts no
/// reference. So what the performer may be looking at is never moved and never freed: the functions that leave
/// something behind return it, and it is reclaimed when no operation is in progress.
///
/// All of it is atomic and no function is mutating, since ThreadSanitizer takes a mutating call for a write.
struct ListenerList: ~Copyable {
  package struct Element: ~Copyable {
    /// Owned.
    let listener: Atomic<Borrowed<Listener>>
    let epoch: Int
  }

  private let start = Atomic<UnsafeMutableRawPointer?>(nil)
  private let filled = Atomic<Int>(0)
  private let capacity = Atomic<Int>(0)

  /// How many places are empty: they hold the tombstone, which is never told anything.
  private let emptied = Atomic<Int>(0)

  deinit {
    guard let elements else { return }
    for index in 0..<count {
      release(elements[index].listener.load(ordering: .acquiring))
      (elements + index).deinitialize(count: 1)
    }
    elements.deallocate()
  }

  static let tombstone = Listener(isSilent: true, isolation: .none)

  private func isTombstone(_ listener: Borrowed<Listener>) -> Bool {
    listener.isSame(as: Self.tombstone)
  }

  private func release(_ listener: Borrowed<Listener>) { if !isTombstone(listener) { listener.release() } }

  @inline(__always)
  var count: Int { filled.load(ordering: .sequentiallyConsistent) }

  @inline(__always)
  private var elements: UnsafeMutablePointer<Element>? {
    start.load(ordering: .acquiring)?.assumingMemoryBound(to: Element.self)
  }

  /// Calls `body` with each that was added before an epoch, which it must not keep. By the performer, or in
  /// `Epoch.change`.
  @inline(__always)
  func forEach(before epoch: Int, _ body: (Listener) -> Void) {
    // In this order: memory that is found later has room for no fewer.
    let count = count
    guard let elements else { return }
    for index in 0..<count where elements[index].epoch < epoch {
      elements[index].listener.load(ordering: .acquiring).use(body)
    }
  }

  // MARK: In `Epoch.change`

  /// Adds one in the present epoch. Returns memory to be freed when nobody reads, if any is left behind.
  func append(_ listener: Listener, epoch: Int) -> UnsafeMutableRawPointer? {
    let count = count
    let old = count == capacity.load(ordering: .relaxed) ? grow() : nil
    if let elements {
      (elements + count).initialize(to: Element(listener: Atomic(.owned(listener)), epoch: epoch))
    }
    listener.setPlace(count)
    filled.store(count + 1, ordering: .sequentiallyConsistent)
    return old
  }

  /// Puts one in the place of another, which keeps its place in the order. Returns the other, to be released when
  /// nobody reads; `nil` if it is not there.
  func replace(_ old: Listener, with new: Listener) -> Borrowed<Listener>? {
    guard let elements, let index = index(of: old) else { return nil }
    new.setPlace(index)
    return elements[index].listener.exchange(.owned(new), ordering: .acquiringAndReleasing)
  }

  /// Leaves an empty place where one was. Returns it, to be released when nobody reads; `nil` if it is not there.
  /// Complexity: O(1), but for a listener of several substances.
  func remove(_ listener: Listener) -> Borrowed<Listener>? {
    guard let elements, let index = index(of: listener) else { return nil }
    emptied.add(1, ordering: .relaxed)
    return elements[index].listener
      .exchange(Borrowed(Self.tombstone), ordering: .acquiringAndReleasing)
  }

  /// Leaves nothing. Returns those that were there. Only when nobody reads: whoever is removed later looks through
  /// nothing.
  func removeAll() -> [Listener] {
    guard let elements else { return [] }
    var removed: [Listener] = []
    for index in 0..<count {
      let old = elements[index].listener.load(ordering: .acquiring)
      (elements + index).deinitialize(count: 1)
      if !isTombstone(old) { removed.append(old.takeOwned()) }
    }
    emptied.store(0, ordering: .relaxed)
    filled.store(0, ordering: .sequentiallyConsistent)
    return removed
  }

  /// Closes up when most places are empty. Only when nobody reads. Complexity: O(1) for each removal, amortised.
  func compactIfSparse() {
    let count = count
    guard let elements, emptied.load(ordering: .relaxed) * 2 > count else { return }
    var kept = 0
    for index in 0..<count {
      let listener = elements[index].listener.load(ordering: .relaxed)
      if isTombstone(listener) {
        (elements + index).deinitialize(count: 1)
        continue
      }
      if kept != index { (elements + kept).moveInitialize(from: elements + index, count: 1) }
      listener.use { $0.setPlace(kept) }
      kept += 1
    }
    emptied.store(0, ordering: .relaxed)
    filled.store(kept, ordering: .sequentiallyConsistent)
  }

  private func index(of listener: Listener) -> Int? {
    guard let elements else { return nil }
    let place = listener.place
    if place < count, elements[place].listener.load(ordering: .relaxed).isSame(as: listener) { return place }
    return (0..<count).first { elements[$0].listener.load(ordering: .relaxed).isSame(as: listener) }
  }

  /// Makes room. What is in the old memory is in the new one too, by its bits, so that the old one needs no more than
  /// to be freed.
  private func grow() -> UnsafeMutableRawPointer? {
    let old = elements
    let size = max(1, capacity.load(ordering: .relaxed) * 2)
    let new = UnsafeMutablePointer<Element>.allocate(capacity: size)
    if let old {
      for index in 0..<count {
        let listener = old[index].listener.load(ordering: .relaxed)
        (new + index).initialize(to: Element(listener: Atomic(listener), epoch: old[index].epoch))
      }
    }
    start.store(UnsafeMutableRawPointer(new), ordering: .releasing)
    capacity.store(size, ordering: .relaxed)
    return old.map { UnsafeMutableRawPointer($0) }
  }
}
