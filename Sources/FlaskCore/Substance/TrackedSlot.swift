internal import Observation

/// A `TrackedKey`, which represents a key from one change to the next, and the key path by which Observation refers to
/// it.
struct TrackedGeneration {
  let key: TrackedKey
  /// The key path that contains `key`. It is made once and stored, since every use of the literal makes another object.
  var keyPath: KeyPath<StatePublisher, Int>

  mutating func isUnreferenced() -> Bool { isKnownUniquelyReferenced(&keyPath) }
}

/// The registrar of the closures that track one key. It is a class, because the size of `ObservationRegistrar` is known
/// only at run time: code that copies a struct with a registrar would have to determine that size.
final class KeyRegistrar: Sendable {
  let registrar = ObservationRegistrar()
}

/// A tracked key whose value has changed, and the registrar of the closures that track it.
struct TrackedChange {
  let generation: TrackedGeneration
  let registrar: KeyRegistrar
}

/// A key that a tracked closure has read.
///
/// Each key has a separate registrar. In a shared registrar, the removal of one key would hash the other keys. A search
/// for an untracked key would hash that key. Such a hash would be taken for a tracking closure (see `TrackedKey`). The
/// registrar retains the `TrackedKey` objects, so these do not retain the registrar.
struct TrackedSlot {
  let registrar = KeyRegistrar()
  /// The current generation.
  var present: TrackedGeneration
  /// The `TrackedKey` object in use before the last change. It is reused once no tracked closure refers to it.
  var previous: TrackedGeneration?

  init(_ present: TrackedGeneration) { self.present = present }

  /// Replaces the current `TrackedKey` object if the value of the key has changed since it was made.
  ///
  /// - Returns: an object that the caller must release while it holds no lock.
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

  /// Registers a read of the key with Observation, which records it if a tracked closure is running.
  ///
  /// - Returns: whether any tracked closure has read the key since its last change.
  func access(by publisher: StatePublisher) -> Bool {
    registrar.registrar.access(publisher, keyPath: present.keyPath)
    return present.key.isArmed
  }

  /// Marks the key as changed, and returns the change to announce to Observation. Returns `nil` if no closure tracks
  /// the key, or if it was marked before.
  mutating func expire() -> TrackedChange? {
    present.key.expire() ? TrackedChange(generation: present, registrar: registrar) : nil
  }

  var isTracked: Bool { present.key.isArmed && !present.key.isStale }

  /// The number of `TrackedKey` objects that this slot has. It is `nil` while a tracked closure or a pending change
  /// refers to one of them.
  mutating func countIfUnreferenced() -> Int? {
    guard present.isUnreferenced(), previous?.isUnreferenced() ?? true else { return nil }
    return previous == nil ? 1 : 2
  }
}
