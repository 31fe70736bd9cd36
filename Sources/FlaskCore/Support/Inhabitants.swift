internal import Dispatch
@_spi(FlaskInternals) internal import FlaskArchive
internal import Synchronization

/// Something that lives in a flux, as those see it who inspect that.
package struct Inhabitant: Sendable {
  package enum Kind: Sendable, Hashable { case substance, reactor, observation, derived, effect }

  /// In the order in which they were made.
  package let number: Int
  package let kind: Kind
  /// The identity of its flux.
  package let flux: ObjectIdentifier
  /// When it was made, in nanoseconds of the system's monotonic clock.
  package let born: UInt64
  package let place: SourcePlace
  /// What it is called: the substance, or what it observes.
  package let name: String
  /// The type of an action or a value, in place of a name.
  package let type: Any.Type?
  /// The type of whoever holds it, if that is known.
  package let holder: Any.Type?
}

/// Notes what is made and what goes, while somebody inspects; else nothing is noted, and whoever makes something looks
/// at one flag.
package enum Inhabitants {
  private struct State {
    var all: [ObjectIdentifier: Inhabitant] = [:]
    var made = 0
    var inspectors = 0
  }

  private static let flag = Atomic<Bool>(false)
  private static let state = Lock(State())

  /// Whether anything is noted.
  @inline(__always)
  package static var areNoted: Bool { flag.load(ordering: .relaxed) }

  /// Notes what is made from here on, until `endNoting()` has been called as often.
  package static func beginNoting() {
    state.withLock { state in
      state.inspectors += 1
      flag.store(true, ordering: .relaxed)
    }
  }

  package static func endNoting() {
    // Released after the lock.
    let old = state.withLock { state -> [ObjectIdentifier: Inhabitant] in
      state.inspectors -= 1
      if state.inspectors > 0 { return [:] }
      flag.store(false, ordering: .relaxed)
      defer { state.all = [:] }
      return state.all
    }
    withExtendedLifetime(old) {}
  }

  /// What lives in a flux and was made since somebody inspects, oldest first. Complexity: O(n log n).
  package static func living(in flux: ObjectIdentifier) -> [Inhabitant] {
    state.withLock { Array($0.all.values) }.filter { $0.flux == flux }.sorted { $0.number < $1.number }
  }

  /// Notes an object, which calls `remove(_:)` in its `deinit`. To be called only if `areNoted`.
  @inline(never)
  static func add(
    _ object: AnyObject,
    _ kind: Inhabitant.Kind,
    in flux: AnyObject,
    at place: SourcePlace,
    name: String = "",
    type: Any.Type? = nil,
    holder: Any.Type? = nil
  ) {
    let born = DispatchTime.now().uptimeNanoseconds
    let (flux, object) = (ObjectIdentifier(flux), ObjectIdentifier(object))
    let old = state.withLock { state -> Inhabitant? in
      // Somebody may have ended it meanwhile.
      if state.inspectors == 0 { return nil }
      state.made += 1
      let new = Inhabitant(
        number: state.made,
        kind: kind,
        flux: flux,
        born: born,
        place: place,
        name: name,
        type: type,
        holder: holder
      )
      return state.all.updateValue(new, forKey: object)
    }
    withExtendedLifetime(old) {}
  }

  /// An object goes, or lives on without being of use.
  @inline(never)
  static func remove(_ object: ObjectIdentifier) {
    let old = state.withLock { $0.all.removeValue(forKey: object) }
    withExtendedLifetime(old) {}
  }
}
