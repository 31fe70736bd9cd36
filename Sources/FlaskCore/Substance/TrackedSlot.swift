internal import Observation

/// A generation of a tracked key (see `TrackedKey`), with its key path.
struct TrackedGeneration {
  let key: TrackedKey
  /// The key path of the generation. It is made once, since every use of the literal makes another key path.
  var keyPath: KeyPath<StatePublisher, Int>

  mutating func isUnreferenced() -> Bool { isKnownUniquelyReferenced(&keyPath) }
}

/// The tracking closures of one key. A class around `ObservationRegistrar`, because the size of that type is known only
/// at run time: code that copies a struct with a registrar would have to look the size up.
final class KeyRegistrar: Sendable {
  let registrar = ObservationRegistrar()
}

/// A generation that has changed, and the registrar of its tracking closures.
struct TrackedChange {
  let generation: TrackedGeneration
  let registrar: KeyRegistrar
}

/// A key that a tracked closure has read.
///
/// Each key has its own registrar. In a shared registrar, the removal of one key would hash the other keys again. A
/// search for the closures of an untracked key would hash this key first. The registrar retains the tracked
/// generations, so a generation does not retain the registrar.
struct TrackedSlot {
  let registrar = KeyRegistrar()
  /// The current generation.
  var present: TrackedGeneration
  /// The generation before, which is reused once it is unreferenced.
  var previous: TrackedGeneration?

  init(_ present: TrackedGeneration) { self.present = present }

  /// Replaces the current generation if its value has changed.
  ///
  /// - Returns: objects to release after the lock.
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

  /// Adds the generation to the access list of the running tracked closure, if a tracked closure is running.
  ///
  /// - Returns: whether the access list of any closure has the key.
  func access(by publisher: StatePublisher) -> Bool {
    registrar.registrar.access(publisher, keyPath: present.keyPath)
    return present.key.isArmed
  }

  /// Marks the generation as changed, and returns the change to announce; `nil` if no closure tracks the generation, or
  /// if it was marked before.
  mutating func expire() -> TrackedChange? {
    if !present.key.isArmed || present.key.isStale { return nil }
    present.key.expire()
    return TrackedChange(generation: present, registrar: registrar)
  }

  var isTracked: Bool { present.key.isArmed && !present.key.isStale }

  /// The number of generations of the slot. It is `nil` while a tracked closure or a pending change refers to one of
  /// them.
  mutating func countIfUnreferenced() -> Int? {
    guard present.isUnreferenced(), previous?.isUnreferenced() ?? true else { return nil }
    return previous == nil ? 1 : 2
  }
}
