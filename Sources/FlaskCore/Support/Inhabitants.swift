internal import Dispatch
internal import FlaskPrimitives
internal import Synchronization

/// Something that lives in a flux, as those see it who inspect that.
package struct Inhabitant: Sendable {
  package enum Kind: String, Sendable { case substance, reactor, observation, derived, effect }

  /// In the order in which they were made.
  package let number: Int
  package let kind: Kind
  /// The identity of its flux.
  package let flux: ObjectIdentifier
  /// When it was made, in nanoseconds of the system's monotonic clock.
  package let born: UInt64
  package let place: SourcePlace
  /// What it is called: the substance, or what it observes.
  package var name: String
  /// The type of an action or a value, in place of a name.
  package let type: Any.Type?
  /// The type of whoever holds it, if that is known.
  package let holder: Any.Type?
  /// Whether it has yet to begin, as an effect that waits for another one.
  package var isWaiting: Bool
}

/// Notes what is made and what goes, in the fluxes that somebody inspects; else nothing is noted, and whoever makes
/// something looks at one flag.
package enum Inhabitants {
  private struct State {
    /// What lives in each flux.
    var living: [ObjectIdentifier: [ObjectIdentifier: Inhabitant]] = [:]
    /// The flux of each object that is noted.
    var fluxes: [ObjectIdentifier: ObjectIdentifier] = [:]
    var made = 0
    /// How many inspect each flux; those of `nil` inspect all.
    var inspectors: [ObjectIdentifier?: Int] = [:]

    func isInspected(_ flux: ObjectIdentifier) -> Bool { inspectors[nil] != nil || inspectors[flux] != nil }
  }

  private static let flag = Atomic<Bool>(false)
  private static let state = Lock(State())

  /// Whether anything is noted.
  @inline(__always)
  package static var areNoted: Bool { flag.load(ordering: .relaxed) }

  /// Notes what is made in a flux, or in each of them, from here on, until `endNoting(in:)` has been called as often.
  package static func beginNoting(in flux: ObjectIdentifier?) {
    state.withLock { state in
      state.inspectors[flux, default: 0] += 1
      flag.store(true, ordering: .relaxed)
    }
  }

  package static func endNoting(in flux: ObjectIdentifier?) {
    // Released after the lock.
    state.withLockReleasing { state -> [[ObjectIdentifier: Inhabitant]] in
      let count = state.inspectors[flux, default: 0] - 1
      state.inspectors[flux] = count > 0 ? count : nil
      if count > 0 { return [] }
      flag.store(!state.inspectors.isEmpty, ordering: .relaxed)
      let ended = (flux.map { [$0] } ?? Array(state.living.keys)).filter { !state.isInspected($0) }
      let old = ended.compactMap { state.living.removeValue(forKey: $0) }
      for object in old.lazy.flatMap(\.keys) { state.fluxes[object] = nil }
      return old
    }
  }

  /// What lives in a flux and was made since somebody inspects it, oldest first. Complexity: O(n log n).
  package static func living(in flux: ObjectIdentifier) -> [Inhabitant] {
    Array(state.withLock { $0.living[flux] ?? [:] }.values).ordered { $0.number }
  }

  /// Notes an object, which calls `remove(_:)` in its `deinit`. To be called only if `areNoted`.
  @inline(never)
  package static func add(
    _ object: AnyObject,
    _ kind: Inhabitant.Kind,
    in flux: AnyObject,
    at place: SourcePlace,
    name: String = "",
    type: Any.Type? = nil,
    holder: Any.Type? = nil,
    isWaiting: Bool = false
  ) {
    let born = DispatchTime.now().uptimeNanoseconds
    let (flux, object) = (ObjectIdentifier(flux), ObjectIdentifier(object))
    state.withLockReleasing { state -> Inhabitant? in
      if !state.isInspected(flux) { return nil }
      state.made += 1
      let new = Inhabitant(
        number: state.made,
        kind: kind,
        flux: flux,
        born: born,
        place: place,
        name: name,
        type: type,
        holder: holder,
        isWaiting: isWaiting
      )
      state.fluxes[object] = flux
      return state.living[flux, default: [:]].updateValue(new, forKey: object)
    }
  }

  /// Changes what is noted of an object, if anything is.
  @inline(never)
  package static func update(_ object: ObjectIdentifier, _ body: (inout Inhabitant) -> Void) {
    state.withLockReleasing { state -> Inhabitant? in
      guard let flux = state.fluxes[object], var inhabitant = state.living[flux]?[object] else { return nil }
      body(&inhabitant)
      return state.living[flux]?.updateValue(inhabitant, forKey: object)
    }
  }

  /// An object goes, or lives on without being of use.
  @inline(never)
  package static func remove(_ object: ObjectIdentifier) {
    state.withLockReleasing { state -> Inhabitant? in
      guard let flux = state.fluxes.removeValue(forKey: object) else { return nil }
      let old = state.living[flux]?.removeValue(forKey: object)
      if state.living[flux]?.isEmpty == true { state.living[flux] = nil }
      return old
    }
  }
}
