/// The reactors of the process, by owner. Holds the reactors, and no owner; looks at no owner either, since letting
/// go of one may run its `deinit`, and this is used under a lock.
///
/// The arrays that it hands out are read after the lock, so none is ever changed in place: that nobody reads it any more would be
/// known by its reference count alone, which ThreadSanitizer can't see.
struct ReactorTable {
  private struct Slot {
    let owner: ObjectIdentifier
    var reactors: [AnyReactor]
  }

  private var slots: [Slot] = []
  private var indices: [ObjectIdentifier: Int] = [:]
  private var cursor = 0

  /// All reactors.
  var all: [AnyReactor] { slots.flatMap(\.reactors) }

  /// The reactors whose owner has or had this identifier, oldest first.
  func reactors(of owner: ObjectIdentifier) -> [AnyReactor] {
    guard let index = indices[owner] else { return [] }
    return slots[index].reactors
  }

  mutating func add(_ reactor: AnyReactor) {
    let owner = reactor.ownerIdentifier
    if let index = indices[owner] {
      slots[index].reactors = slots[index].reactors + [reactor]
    } else {
      indices[owner] = slots.count
      slots.append(Slot(owner: owner, reactors: [reactor]))
    }
  }

  mutating func remove(_ reactor: AnyReactor) {
    guard let index = indices[reactor.ownerIdentifier] else { return }
    slots[index].reactors = slots[index].reactors.filter { $0 !== reactor }
    guard slots[index].reactors.isEmpty else { return }
    indices[reactor.ownerIdentifier] = nil
    slots.swapAt(index, slots.count - 1)
    slots.removeLast()
    if index < slots.count { indices[slots[index].owner] = index }
  }

  /// The reactors of the next owner in turn, so that whoever adds one can look whether an old owner is gone.
  mutating func next() -> [AnyReactor] {
    if slots.isEmpty { return [] }
    cursor = (cursor + 1) % slots.count
    return slots[cursor].reactors
  }
}
