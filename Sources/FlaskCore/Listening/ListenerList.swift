/// Listeners in the order in which they were added.
///
/// The list is changed while no notification is in progress, by one thread at a time: see `FluxQueue.change`. So the
/// notifying thread walks through it without a lock, and without reference counting.
struct ListenerList: ~Copyable {
  /// The listeners, owned; `nil` at the index of a removed listener.
  private var elements: [UnretainedReference<Listener>?] = []
  private var gapCount = 0

  deinit { for element in elements { element?.release() } }

  /// `true` if the list has no entries, not even the empty entries of removed listeners.
  @inline(__always)
  var isEmpty: Bool { elements.isEmpty }

  /// Calls `body` with each listener. `body` must not store the listener.
  @inline(__always)
  func forEach(_ body: (Listener) -> Void) {
    var index = 0
    while index < elements.count {
      elements[index]?.use(body)
      index &+= 1
    }
  }

  mutating func append(_ listener: Listener) {
    listener.setPlace(elements.count)
    elements.append(.owned(listener))
  }

  /// Replaces a listener of the list by another listener, or empties its entry; nothing happens if the listener is not
  /// in the list. The caller retains the listener.
  ///
  /// Complexity: O(1), amortised; O(n) for a listener of several substances.
  mutating func replace(_ old: Listener, with new: Listener?) {
    let place = old.place
    let isThere = place < elements.count && elements[place]?.isSame(as: old) == true
    guard let index = isThere ? place : elements.firstIndex(where: { $0?.isSame(as: old) == true })
    else { return }
    new?.setPlace(index)
    elements[index] = new.map { .owned($0) }
    UnretainedReference(old).release()
    if new == nil { closeGaps() }
  }

  /// Removes all listeners, and returns them.
  mutating func removeAll() -> [Listener] {
    defer { (elements, gapCount) = ([], 0) }
    return elements.compactMap { $0?.takeOwned() }
  }

  /// Removes the empty entries of removed listeners, if they are more than half of the list.
  private mutating func closeGaps() {
    gapCount += 1
    if gapCount * 2 <= elements.count { return }
    elements.removeAll { $0 == nil }
    gapCount = 0
    for index in elements.indices { elements[index]?.use { $0.setPlace(index) } }
  }
}
