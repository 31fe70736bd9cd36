internal import Synchronization

/// The time of a flux, as those see it who listen: the number of operations that have been told.
///
/// Who is added in the course of an operation is told of the next one. Memory that the performer may be looking at is
/// reclaimed when the operation in progress has ended.
protocol Epoch: AnyObject, Sendable {
  /// The number of the operation that is being told, or was told last.
  var number: Int { get }

  /// Calls `change` while no other change is made; and then what that returns, when no operation is in progress: now,
  /// or after the one in progress. Both run under a lock and may call nothing that a user wrote.
  func change(_ change: () -> (() -> Void)?)
}

/// Who listens to one substance: the listeners of reactors in the order in which they were bound, and the observers by
/// key.
///
/// The performer reads it whenever it has committed; any other thread changes it, in `Epoch.change`. `ListenerList`
/// says how that goes together.
///
/// `@unchecked Sendable`: made of atomics, which is what noncopyable structs of them can't say.
package final class Listeners: ListenerHome, @unchecked Sendable {
  private let epoch: any Epoch
  private let reactors = ListenerList()
  private let observers: ObserverIndex

  /// - Parameter keyCount: the number of keys of the state.
  init(epoch: any Epoch, keyCount: Int) {
    self.epoch = epoch
    observers = ObserverIndex(keyCount: keyCount)
  }

  /// Whether nobody listens.
  @inline(__always)
  package var isEmpty: Bool { reactors.count == 0 && observers.isEmpty }

  /// Tells of a commit: reactors first, then the observers of everything, then those of what changed.
  @inline(__always)
  func notify(_ commit: Commit, epoch: Int, isolation: ActorIdentity) {
    reactors.forEach(before: epoch) { $0.receive(commit, from: isolation) }
    if observers.isEmpty { return }
    observers.forEach(of: -1, before: epoch) { $0.receive(commit, from: isolation) }
    // Word by word, since a method of the set would be handed a copy of it.
    var keys = commit.changes.pointee.firstWord
    while keys != 0 {
      observers.forEach(of: keys.trailingZeroBitCount, before: epoch) { $0.receive(commit, from: isolation) }
      keys &= keys &- 1
    }
    if commit.changes.pointee.isBeyondFirstWord {
      notifyBeyondFirstWord(commit, epoch: epoch, isolation: isolation)
    }
  }

  @inline(never)
  private func notifyBeyondFirstWord(_ commit: Commit, epoch: Int, isolation: ActorIdentity) {
    commit.changes.pointee.forEachKey { key in
      if key < 64 { return }
      observers.forEach(of: key, before: epoch) { $0.receive(commit, from: isolation) }
    }
  }

  /// Calls `tell` with each who is to be told of a commit, and the key that it observes: -1 for any, `nil` for a
  /// reactor. In the order of `notify`.
  @inline(never)
  func forEachToBeTold(of commit: Commit, epoch: Int, _ tell: (Listener, _ key: Int?) -> Void) {
    reactors.forEach(before: epoch) { tell($0, nil) }
    if observers.isEmpty { return }
    observers.forEach(of: -1, before: epoch) { tell($0, -1) }
    var keys = commit.changes.pointee.firstWord
    while keys != 0 {
      let key = keys.trailingZeroBitCount
      observers.forEach(of: key, before: epoch) { tell($0, key) }
      keys &= keys &- 1
    }
    if !commit.changes.pointee.isBeyondFirstWord { return }
    commit.changes.pointee.forEachKey { key in
      if key > 63 { observers.forEach(of: key, before: epoch) { tell($0, key) } }
    }
  }

  // MARK: From any thread

  /// Adds the listener of a reactor at the end.
  func add(_ listener: Listener) {
    epoch.change { reactors.append(listener, epoch: epoch.number).map(Listeners.freeing) }
  }

  /// Puts the listener of a reactor in the place of the one that it had.
  func replace(_ old: Listener, with new: Listener) {
    epoch.change {
      guard let old = reactors.replace(old, with: new) else { return nil }
      let held = old.takeOwned()
      return { withExtendedLifetime(held) {} }
    }
  }

  /// Removes the listener of a reactor. It is told nothing more from now on only if it has been retired.
  func remove(_ listener: Listener) {
    epoch.change {
      guard let held = reactors.remove(listener)?.takeOwned() else { return nil }
      return { withExtendedLifetime(held) { self.reactors.compactIfSparse() } }
    }
  }

  /// Adds an observer of a key, or of everything (-1).
  package func add(_ observer: Listener, key: Int) {
    epoch.change { observers.add(observer, key: key, epoch: epoch.number).map(Listeners.freeing) }
  }

  /// Removes an observer. It is told nothing more from now on only if it has been retired.
  package func remove(_ observer: Listener, key: Int) {
    epoch.change {
      guard let held = observers.remove(observer, key: key)?.takeOwned() else { return nil }
      return { withExtendedLifetime(held) { self.observers.compactIfSparse(key) } }
    }
  }

  /// Removes all, and tells them so: the substance goes, so that nobody reads any more.
  func removeAll() {
    var removed: [Listener] = []
    epoch.change {
      let held = reactors.removeAll() + observers.removeAll()
      removed = held
      return { withExtendedLifetime(held) {} }
    }
    for listener in removed { listener.subjectDidGo() }
  }

  private static func freeing(_ memory: UnsafeMutableRawPointer) -> () -> Void { { memory.deallocate() } }
}
