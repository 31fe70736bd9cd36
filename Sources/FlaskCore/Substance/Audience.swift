@_spi(FlaskInternals) internal import FlaskDiff

/// Who listens to one substance: the listeners of reactors in the order in which they were bound, and the observers by key.
///
/// `@unchecked Sendable`: while an operation is in progress on the flux, its performer reads it and nobody writes to it: whoever
/// changes it puts a changed copy in its place. Else it is changed where it is, under the lock of the flux's queue.
final class Audience: @unchecked Sendable {
  private struct Lists: ~Copyable {
    var listeners: ListenerList
    var observers: ObserverIndex
  }

  /// Behind a pointer for the reason that `SubstanceCore` gives.
  private let lists: UnsafeMutablePointer<Lists>

  /// - Parameter keyCount: the number of keys of the state.
  convenience init(keyCount: Int) {
    self.init(Lists(listeners: ListenerList(), observers: ObserverIndex(keyCount: keyCount)))
  }

  private init(_ lists: consuming Lists) {
    self.lists = .allocate(capacity: 1)
    self.lists.initialize(to: lists)
  }

  deinit {
    lists.deinitialize(count: 1)
    lists.deallocate()
  }

  func copy() -> Audience {
    Audience(Lists(listeners: lists.pointee.listeners.copy(), observers: lists.pointee.observers.copy()))
  }

  /// Adds the listener of a reactor at the end, or in place of the one that the reactor had.
  func add(_ listener: ReactionListener) {
    let isReplacing = lists.pointee.listeners.replaceFirst(with: listener) { $0.members === listener.members }
    if !isReplacing { lists.pointee.listeners.append(listener) }
  }

  /// Removes the listener of a reactor.
  func remove(_ listener: ReactionListener) {
    lists.pointee.listeners.removeAll { $0.members === listener.members }
  }

  /// Adds an observer of a key, or of everything (-1).
  func add(_ observer: ReactionListener, key: Int) { lists.pointee.observers.add(observer, key: key) }

  /// Removes an observer.
  func remove(_ observer: ReactionListener, key: Int) { lists.pointee.observers.remove(observer, key: key) }

  /// Whether nobody listens.
  @inline(__always)
  var isEmpty: Bool { lists.pointee.listeners.isEmpty && lists.pointee.observers.isEmpty }

  /// Tells a commit: reactors first, then the observers of everything, then those of what changed.
  @inline(__always)
  func hear(_ record: ReactionRecord, isolation: ActorIdentity) {
    lists.pointee.listeners.forEach { $0.receive(record, on: isolation) }
    if lists.pointee.observers.isEmpty { return }
    lists.pointee.observers.forEach(of: -1) { $0.receive(record, on: isolation) }
    // Word by word, since a method of the set would be handed a copy of it.
    var keys = record.changes.pointee.firstWord
    while keys != 0 {
      lists.pointee.observers.forEach(of: keys.trailingZeroBitCount) { $0.receive(record, on: isolation) }
      keys &= keys &- 1
    }
    if record.changes.pointee.isBeyondFirstWord { hearBeyondFirstWord(record, isolation: isolation) }
  }

  @inline(never)
  private func hearBeyondFirstWord(_ record: ReactionRecord, isolation: ActorIdentity) {
    record.changes.pointee.forEachKey { key in
      if key >= 64 { lists.pointee.observers.forEach(of: key) { $0.receive(record, on: isolation) } }
    }
  }
}
