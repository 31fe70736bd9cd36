internal import FlaskPrimitives

/// An object that lives in a flux.
struct LiveObject: Sendable {
  /// The position of the object in the order of creation.
  let number: Int
  let kind: LiveObjectKind
  /// The time when the object was made, in nanoseconds of the system's monotonic clock.
  let born: UInt64
  let place: SourcePlace
  var name: String
  /// The type of an effect's action or of a derived value, which is used as the name of the object.
  let type: Any.Type?
  let holder: Any.Type?
  /// Whether the object has yet to start, such as an effect that waits for another effect.
  var isWaiting: Bool
}

/// The live objects of the fluxes that are inspected.
final class LivenessRegistry: LivenessObserver {
  private struct State {
    /// The objects of each flux.
    var living: [ObjectIdentifier: [ObjectIdentifier: LiveObject]] = [:]
    /// The flux of each object.
    var fluxes: [ObjectIdentifier: ObjectIdentifier] = [:]
    var made = 0
    /// The number of inspections of each flux; the key `nil` counts the inspections of all fluxes.
    var inspectors: [ObjectIdentifier?: Int] = [:]

    func isInspected(_ flux: ObjectIdentifier) -> Bool { inspectors[nil] != nil || inspectors[flux] != nil }
  }

  static let shared = LivenessRegistry()
  private let state = Lock(State())

  /// Begins to register objects that are made in a flux, or in every flux. The registration ends when `end(in:)` has
  /// been called as often as this function.
  func begin(in flux: ObjectIdentifier?) {
    state.withLock { state in
      state.inspectors[flux, default: 0] += 1
      Liveness.notify(self, true)
    }
  }

  func end(in flux: ObjectIdentifier?) {
    // The objects are released after the lock.
    state.withLockReleasing { state -> [[ObjectIdentifier: LiveObject]] in
      let count = state.inspectors[flux, default: 0] - 1
      state.inspectors[flux] = count > 0 ? count : nil
      if count > 0 { return [] }
      Liveness.notify(self, !state.inspectors.isEmpty)
      let ended = (flux.map { [$0] } ?? Array(state.living.keys)).filter { !state.isInspected($0) }
      let old = ended.compactMap { state.living.removeValue(forKey: $0) }
      for object in old.lazy.flatMap(\.keys) { state.fluxes[object] = nil }
      return old
    }
  }

  /// The live objects of a flux that were made during its inspection, oldest first. Complexity: O(n log n).
  func living(in flux: ObjectIdentifier) -> [LiveObject] {
    Array(state.withLock { $0.living[flux] ?? [:] }.values).ordered { $0.number }
  }

  func didMake(
    _ object: AnyObject,
    _ kind: LiveObjectKind,
    in flux: AnyObject,
    at place: SourcePlace,
    name: String,
    type: Any.Type?,
    holder: Any.Type?
  ) {
    let born = OperationSubmission.now
    let flux = ObjectIdentifier(flux)
    let object = ObjectIdentifier(object)
    state.withLockReleasing { state -> LiveObject? in
      if !state.isInspected(flux) { return nil }
      state.made += 1
      let new = LiveObject(
        number: state.made,
        kind: kind,
        born: born,
        place: place,
        name: name,
        type: type,
        holder: holder,
        isWaiting: kind == .effect
      )
      state.fluxes[object] = flux
      return state.living[flux, default: [:]].updateValue(new, forKey: object)
    }
  }

  func didRename(_ object: ObjectIdentifier, to name: String) { update(object) { $0.name = name } }

  func didStart(_ object: ObjectIdentifier) { update(object) { $0.isWaiting = false } }

  private func update(_ object: ObjectIdentifier, _ body: (inout LiveObject) -> Void) {
    state.withLockReleasing { state -> LiveObject? in
      guard let flux = state.fluxes[object], var live = state.living[flux]?[object] else { return nil }
      body(&live)
      return state.living[flux]?.updateValue(live, forKey: object)
    }
  }

  func didRemove(_ object: ObjectIdentifier) {
    state.withLockReleasing { state -> LiveObject? in
      guard let flux = state.fluxes.removeValue(forKey: object) else { return nil }
      let old = state.living[flux]?.removeValue(forKey: object)
      if state.living[flux]?.isEmpty == true { state.living[flux] = nil }
      return old
    }
  }
}
