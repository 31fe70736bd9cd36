/// Listeners in the order in which they were added. An array, but that walking it counts no reference up and down: that was a
/// tenth of a mix. Whoever walks it sees to it that nobody changes it meanwhile.
struct ListenerList: ~Copyable {
  private var start: UnsafeMutablePointer<ReactionListener>?
  private(set) var count = 0
  private var capacity = 0

  init() {}

  private init(copying other: borrowing ListenerList) {
    guard let source = other.start, other.count > 0 else { return }
    capacity = other.count
    count = other.count
    let new = UnsafeMutablePointer<ReactionListener>.allocate(capacity: capacity)
    new.initialize(from: source, count: count)
    start = new
  }

  deinit {
    start?.deinitialize(count: count)
    start?.deallocate()
  }

  @inline(__always)
  var isEmpty: Bool { count == 0 }

  func copy() -> ListenerList { ListenerList(copying: self) }

  /// Calls `body` with each of them, which it must not keep.
  @inline(__always)
  func forEach(_ body: (ReactionListener) -> Void) {
    guard let start else { return }
    for index in 0..<count { Unmanaged.passUnretained(start[index])._withUnsafeGuaranteedRef(body) }
  }

  mutating func append(_ listener: ReactionListener) {
    if count == capacity { grow() }
    guard let start else { return }
    (start + count).initialize(to: listener)
    count += 1
  }

  /// Replaces the first one that `isReplaced` accepts; false if there is none.
  mutating func replaceFirst(with listener: ReactionListener, where isReplaced: (ReactionListener) -> Bool)
    -> Bool
  {
    guard let start, let index = (0..<count).first(where: { isReplaced(start[$0]) }) else { return false }
    start[index] = listener
    return true
  }

  mutating func removeAll(where isRemoved: (ReactionListener) -> Bool) {
    guard let start else { return }
    var kept = 0
    for index in 0..<count {
      if isRemoved(start[index]) {
        (start + index).deinitialize(count: 1)
      } else {
        if kept < index { (start + kept).moveInitialize(from: start + index, count: 1) }
        kept += 1
      }
    }
    count = kept
  }

  private mutating func grow() {
    capacity = max(1, capacity * 2)
    let new = UnsafeMutablePointer<ReactionListener>.allocate(capacity: capacity)
    if let start {
      new.moveInitialize(from: start, count: count)
      start.deallocate()
    }
    start = new
  }
}
