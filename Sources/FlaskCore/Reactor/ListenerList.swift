internal import Synchronization

/// Listeners in the order in which they were added.
///
/// Written by one thread at a time, under the lock of the flux's queue; read meanwhile by the performer, who takes no lock and counts no
/// reference: with what that brought along, 185 ns of a mix became 129. So what the performer may be looking at is never moved and never freed: the
/// functions that leave something behind say so, and it is cleared up when no operation is in progress.
///
/// All of it is atomic and no function is mutating, since ThreadSanitizer takes a mutating call for a write.
struct ListenerList: ~Copyable {
  private struct Element: ~Copyable {
    /// Owned.
    let listener: Atomic<Unmanaged<ReactionListener>>
    let round: Int
  }

  private let start = Atomic<UnsafeMutableRawPointer?>(nil)
  private let filled = Atomic<Int>(0)
  private let capacity = Atomic<Int>(0)

  deinit {
    guard let elements else { return }
    for index in 0..<count {
      elements[index].listener.load(ordering: .acquiring).release()
      (elements + index).deinitialize(count: 1)
    }
    elements.deallocate()
  }

  /// Read in an order that all threads agree on; `SubstanceCore.add` says why.
  @inline(__always)
  var count: Int { filled.load(ordering: .sequentiallyConsistent) }

  @inline(__always)
  private var elements: UnsafeMutablePointer<Element>? {
    start.load(ordering: .acquiring)?.assumingMemoryBound(to: Element.self)
  }

  /// Calls `body` with each that was added before a round, which it must not keep. By the performer, or under the lock.
  @inline(__always)
  func forEach(before round: Int, _ body: (ReactionListener) -> Void) {
    // In this order: memory that is found later has room for no fewer.
    let count = count
    guard let elements else { return }
    for index in 0..<count where elements[index].round < round {
      elements[index].listener.load(ordering: .acquiring)._withUnsafeGuaranteedRef(body)
    }
  }

  // MARK: Under the lock

  /// Adds one in the running round. Returns memory to be freed when nobody reads, if any is left behind.
  func append(_ listener: ReactionListener, round: Int) -> UnsafeMutableRawPointer? {
    let count = count
    let old = count == capacity.load(ordering: .relaxed) ? grow() : nil
    if let elements {
      (elements + count).initialize(to: Element(listener: Atomic(.passRetained(listener)), round: round))
    }
    filled.store(count + 1, ordering: .sequentiallyConsistent)
    return old
  }

  /// Puts one in the place of another; the place in the order is kept. Returns the other, to be released when nobody reads;
  /// `nil` if it is not there.
  func replace(
    _ old: ReactionListener,
    with new: ReactionListener
  ) -> Unmanaged<ReactionListener>? {
    guard let elements, let index = index(of: old) else { return nil }
    return elements[index].listener.exchange(.passRetained(new), ordering: .acquiringAndReleasing)
  }

  /// Removes one. Only when nobody reads. The caller holds it, since releasing it may run code of the user's.
  func remove(_ listener: ReactionListener) {
    guard let elements, let index = index(of: listener) else { return }
    elements[index].listener.load(ordering: .relaxed).release()
    (elements + index).deinitialize(count: 1)
    (elements + index).moveInitialize(from: elements + index + 1, count: count - index - 1)
    filled.store(count - 1, ordering: .sequentiallyConsistent)
  }

  private func index(of listener: ReactionListener) -> Int? {
    guard let elements else { return nil }
    let wanted = Unmanaged.passUnretained(listener).toOpaque()
    return (0..<count).first { elements[$0].listener.load(ordering: .relaxed).toOpaque() == wanted }
  }

  /// Makes room. What is in the old memory is in the new one too, by its bits, so that the old one needs no more than to be freed.
  private func grow() -> UnsafeMutableRawPointer? {
    let old = elements
    let size = max(1, capacity.load(ordering: .relaxed) * 2)
    let new = UnsafeMutablePointer<Element>.allocate(capacity: size)
    if let old {
      for index in 0..<count {
        let listener = old[index].listener.load(ordering: .relaxed)
        (new + index).initialize(to: Element(listener: Atomic(listener), round: old[index].round))
      }
    }
    start.store(UnsafeMutableRawPointer(new), ordering: .releasing)
    capacity.store(size, ordering: .relaxed)
    return old.map { UnsafeMutableRawPointer($0) }
  }
}
