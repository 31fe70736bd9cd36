@_spi(FlaskInternals) internal import FlaskArchive

/// Which living substances define which mixers. Holds none of them.
final class MixerRegistry: Sendable {
  private struct Listener {
    let identifier: ObjectIdentifier
    weak var substance: AnySubstance?
  }

  private let listeners = Lock<[MixerKey: [Listener]]>([:])

  func add(_ substance: AnySubstance, for keys: [MixerKey]) {
    let listener = Listener(identifier: ObjectIdentifier(substance), substance: substance)
    listeners.withLock { listeners in
      for key in keys { listeners[key, default: []].append(listener) }
    }
  }

  /// To be called while the substance goes, before its identifier can be reused.
  func remove(_ identifier: ObjectIdentifier, for keys: [MixerKey]) {
    listeners.withLock { listeners in
      for key in keys {
        listeners[key]?.removeAll { $0.identifier == identifier }
        if listeners[key]?.isEmpty == true { listeners[key] = nil }
      }
    }
  }

  /// The living substances that define the mixer, in the order in which they were made.
  func substances(defining key: MixerKey) -> [AnySubstance] {
    listeners.withLock { listeners in listeners[key]?.compactMap(\.substance) ?? [] }
  }
}
