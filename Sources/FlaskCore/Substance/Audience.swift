internal import FlaskDiff

/// Who listens to one substance: the listeners of reactors in the order in which they were bound, and the observers by key.
///
/// `@unchecked Sendable`: while an operation is in progress on the flux, its performer reads it and nobody writes to it: whoever
/// changes it puts a changed copy in its place. Else it is changed where it is, under the lock of the flux's queue.
final class Audience: @unchecked Sendable {
  private(set) var listeners: [ReactionListener]
  private(set) var observers: ObserverIndex

  init(listeners: [ReactionListener] = [], observers: ObserverIndex = ObserverIndex()) {
    self.listeners = listeners
    self.observers = observers
  }

  func copy() -> Audience { Audience(listeners: listeners, observers: observers) }

  /// Adds the listener of a reactor at the end, or in place of the one that the reactor had.
  func add(_ listener: ReactionListener) {
    if let index = listeners.firstIndex(where: { $0.members === listener.members }) {
      listeners[index] = listener
    } else {
      listeners.append(listener)
    }
  }

  /// Removes the listener of a reactor.
  func remove(_ listener: ReactionListener) { listeners.removeAll { $0.members === listener.members } }

  /// Adds an observer of a key, or of everything (-1).
  func add(_ observer: ReactionListener, key: Int, keyCount: Int) {
    observers.add(observer, key: key, keyCount: keyCount)
  }

  /// Removes an observer.
  func remove(_ observer: ReactionListener, key: Int) { observers.remove(observer, key: key) }

  /// Tells a commit: reactors first, then the observers of everything, then those of what changed.
  @inline(__always)
  func hear(_ record: ReactionRecord, isolation: (any Actor)?) {
    tell(record, to: listeners, isolation: isolation)
    if observers.isEmpty { return }
    tell(record, to: observers[-1], isolation: isolation)
    record.changes.pointee.forEachKey { tell(record, to: observers[$0], isolation: isolation) }
  }

  /// Whether nobody listens.
  @inline(__always)
  var isEmpty: Bool { listeners.isEmpty && observers.isEmpty }

  /// The array holds the listeners meanwhile, so they need not be counted one by one.
  @inline(__always)
  private func tell(_ record: ReactionRecord, to listeners: [ReactionListener], isolation: (any Actor)?) {
    listeners.withUnsafeBufferPointer { listeners in
      for index in listeners.indices {
        Unmanaged.passUnretained(listeners[index])._withUnsafeGuaranteedRef {
          $0.receive(record, on: isolation)
        }
      }
    }
  }
}
