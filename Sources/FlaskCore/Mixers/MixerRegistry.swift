@_spi(FlaskInternals) internal import FlaskArchive

/// Which living substances define which mixers. Holds none of them.
final class MixerRegistry: Sendable {
  private struct Listener { weak var substance: AnySubstance? }

  private struct Listeners {
    var all: [Listener] = []
    /// How many of `all` are gone.
    var goneCount = 0
  }

  private let listeners = Lock<[MixerKey: Listeners]>([:])

  func add(_ substance: AnySubstance, for keys: [MixerKey]) {
    listeners.withLock { listeners in
      for key in keys { listeners[key, default: Listeners()].all.append(Listener(substance: substance)) }
    }
  }

  /// To be called while a substance goes that was added for these keys: its places are cleared up together with others, so that
  /// none has to be looked for. Complexity: O(1) a key, amortised.
  func removeOne(for keys: [MixerKey]) {
    // Held until after the lock: one that was looked at here may be let go of by everybody else meanwhile.
    let held = listeners.withLock { listeners in
      var held: [AnySubstance] = []
      for key in keys {
        listeners[key]?.goneCount += 1
        guard let old = listeners[key], old.goneCount * 2 > old.all.count else { continue }
        let living = old.all.compactMap(\.substance)
        listeners[key] = living.isEmpty ? nil : Listeners(all: living.map(Listener.init))
        held += living
      }
      return held
    }
    withExtendedLifetime(held) {}
  }

  /// The living substances that define the mixer, in the order in which they were made.
  func substances(defining key: MixerKey) -> [AnySubstance] {
    listeners.withLock { listeners in listeners[key]?.all.compactMap(\.substance) ?? [] }
  }
}
