@_spi(FlaskInternals) internal import FlaskDiff
internal import Synchronization

/// Who listens to one substance: the listeners of reactors in the order in which they were bound, and the observers by key.
///
/// The performer reads it whenever it has committed; any other thread changes it, under the lock of the flux's queue. Who is added in the
/// course of a *round*, the telling of one operation, hears the next one.
///
/// `@unchecked Sendable`: `ListenerList` says how that goes together.
final class Audience: @unchecked Sendable {
  private let flux: Flux
  private let listeners = ListenerList()
  private let observers: ObserverIndex

  /// - Parameter keyCount: the number of keys of the state.
  init(flux: Flux, keyCount: Int) {
    self.flux = flux
    observers = ObserverIndex(keyCount: keyCount)
  }

  /// Whether nobody listens.
  @inline(__always)
  var isEmpty: Bool { listeners.count == 0 && observers.isEmpty }

  /// Tells a commit: reactors first, then the observers of everything, then those of what changed.
  @inline(__always)
  func hear(_ record: ReactionRecord, round: Int, isolation: ActorIdentity) {
    listeners.forEach(before: round) { $0.receive(record, on: isolation) }
    if observers.isEmpty { return }
    observers.forEach(of: -1, before: round) { $0.receive(record, on: isolation) }
    // Word by word, since a method of the set would be handed a copy of it.
    var keys = record.changes.pointee.firstWord
    while keys != 0 {
      observers.forEach(of: keys.trailingZeroBitCount, before: round) { $0.receive(record, on: isolation) }
      keys &= keys &- 1
    }
    if record.changes.pointee.isBeyondFirstWord {
      hearBeyondFirstWord(record, round: round, isolation: isolation)
    }
  }

  @inline(never)
  private func hearBeyondFirstWord(_ record: ReactionRecord, round: Int, isolation: ActorIdentity) {
    record.changes.pointee.forEachKey { key in
      if key < 64 { return }
      observers.forEach(of: key, before: round) { $0.receive(record, on: isolation) }
    }
  }

  // MARK: From any thread

  /// Adds the listener of a reactor at the end.
  func add(_ listener: ReactionListener) {
    change { $0.listeners.append(listener, round: $0.round).map(Audience.freeing) }
  }

  /// Puts the listener of a reactor in the place of the one that it had.
  func replace(_ old: ReactionListener, with new: ReactionListener) {
    change { audience in
      guard let old = audience.listeners.replace(old, with: new) else { return nil }
      let held = old.takeRetainedValue()
      return { withExtendedLifetime(held) {} }
    }
  }

  /// Removes the listener of a reactor. It is told nothing more from now on only if it has been retired.
  func remove(_ listener: ReactionListener) {
    change { audience in { audience.listeners.remove(listener) } }
  }

  /// Adds an observer of a key, or of everything (-1).
  func add(_ observer: ReactionListener, key: Int) {
    change { $0.observers.add(observer, key: key, round: $0.round).map(Audience.freeing) }
  }

  /// Removes an observer. It is told nothing more from now on only if it has been retired.
  func remove(_ observer: ReactionListener, key: Int) {
    change { audience in { audience.observers.remove(observer, key: key) } }
  }

  /// The round that runs, or ran last.
  private var round: Int { flux.performer.round.load(ordering: .sequentiallyConsistent) }

  private static func freeing(_ memory: UnsafeMutableRawPointer) -> () -> Void { { memory.deallocate() } }

  /// - Parameter change: returns what is to be done when no operation is in progress.
  private func change(_ change: (Audience) -> (() -> Void)?) {
    flux.queue.change { change(self) }
  }
}
