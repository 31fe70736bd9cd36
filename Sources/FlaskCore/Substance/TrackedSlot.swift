internal import Observation

/// A generation of a key, with the key path that stands for it.
struct TrackedGeneration {
  let key: TrackedKey
  /// Made once for each: every use of the literal makes a new one.
  var keyPath: KeyPath<StatePublisher, Int>

  mutating func isUnreferenced() -> Bool { isKnownUniquelyReferenced(&keyPath) }
}

/// Those who track one key. A class, since the size of the library's type is only known at run time: what holds that
/// itself is copied by functions that have to look it up.
final class KeyRegistrar: Sendable {
  let registrar = ObservationRegistrar()
}

/// A generation that has changed, and where those are who track it.
struct TrackedChange {
  let generation: TrackedGeneration
  let registrar: KeyRegistrar
}

/// A key that was read by somebody who tracks.
///
/// Its registrar is its own: where several keys share one, the keys that are stored beside one that goes are hashed
/// again, and whoever looks for those who track a key that nobody tracks hashes it first. The registrar holds the
/// generations that are tracked, so these don't hold it.
struct TrackedSlot {
  let registrar = KeyRegistrar()
  /// The generation that is handed out.
  var present: TrackedGeneration
  /// The one before it, which is used again if nobody has it any more.
  var previous: TrackedGeneration?

  init(_ present: TrackedGeneration) { self.present = present }

  /// Sees to it that the generation that is handed out is one that has not changed. Returns what nobody needs any
  /// more.
  package mutating func refresh(_ makeGeneration: () -> TrackedGeneration) -> TrackedGeneration? {
    if !present.key.isStale { return nil }
    var last = previous.take()
    previous = present
    if var unused = last.take() {
      if isKnownUniquelyReferenced(&unused.keyPath), unused.key.renew() {
        present = unused
        return nil
      }
      last = unused
    }
    present = makeGeneration()
    return last
  }

  /// Has the list of the running tracked closure, if there is one, hold the generation. Returns whether anybody's
  /// list does.
  func access(by publisher: StatePublisher) -> Bool {
    registrar.registrar.access(publisher, keyPath: present.keyPath)
    return present.key.isArmed
  }

  /// The generation has changed. `nil` if nobody tracks it.
  mutating func expire() -> TrackedChange? {
    if !present.key.isArmed || present.key.isStale { return nil }
    present.key.expire()
    return TrackedChange(generation: present, registrar: registrar)
  }

  var isTracked: Bool { present.key.isArmed && !present.key.isStale }

  /// How many generations it has; `nil` if a tracked closure, or a change that is on its way, has one of them.
  mutating func countIfUnreferenced() -> Int? {
    guard present.isUnreferenced(), previous?.isUnreferenced() ?? true else { return nil }
    return previous == nil ? 1 : 2
  }
}
