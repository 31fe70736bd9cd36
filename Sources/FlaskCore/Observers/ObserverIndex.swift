/// The observers of a substance by the key they observe, so that a commit meets only those whose key changed.
struct ObserverIndex {
  /// At `key + 1` the observers of that key; at 0 those of everything.
  private var slots: [[ReactionListener]] = []

  @inline(__always) var isEmpty: Bool { slots.isEmpty }

  /// The observers of a key, or of everything (-1), in the order in which they were made.
  @inline(__always)
  subscript(key: Int) -> [ReactionListener] {
    _read { yield slots[key + 1] }
  }

  mutating func add(_ observer: ReactionListener, key: Int, keyCount: Int) {
    if slots.isEmpty { slots = Array(repeating: [], count: keyCount + 1) }
    slots[key + 1].append(observer)
  }

  mutating func remove(_ observer: ReactionListener, key: Int) {
    guard !slots.isEmpty else { return }
    slots[key + 1].removeAll { $0 === observer }
    if slots.allSatisfy(\.isEmpty) { slots = [] }
  }
}
