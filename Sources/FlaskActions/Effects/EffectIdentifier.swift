internal import FlaskPrimitives

/// Identifies a group of effects. Equal values have the same identifier object. All other code compares the number of
/// this object, so that no `==` and no `hash(into:)` of client code runs under a lock.
final class EffectIdentifier: Sendable {
  /// Never used twice in a process.
  let number: Int
  fileprivate let value: any Hashable & Sendable
  private let hash: Int
  private let table: EffectIdentifierTable

  fileprivate init(number: Int, _ value: any Hashable & Sendable, hash: Int, in table: EffectIdentifierTable)
  {
    self.number = number
    self.value = value
    self.hash = hash
    self.table = table
  }

  deinit { table.remove(number, hash: hash) }

  fileprivate func isEqual(to key: AnyHashable) -> Bool { AnyHashable(value) == key }
}

/// The table of the effect identifiers in use, by their hash. It does not retain them. An identifier is removed with
/// the last registration and the last effect that it names.
final class EffectIdentifierTable: Sendable {
  static let shared = EffectIdentifierTable()

  private struct Entry {
    let number: Int
    weak var identifier: EffectIdentifier?
  }

  private struct State {
    /// The identifiers in use, by the hash of their value. In each list the numbers are ascending.
    var buckets: [Int: [Entry]] = [:]
    var lastNumber = 0

    func identifiers(hash: Int, after number: Int = 0) -> [EffectIdentifier] {
      buckets[hash]?.compactMap { $0.number > number ? $0.identifier : nil } ?? []
    }
  }

  private let state = Lock(State())

  /// The number of identifiers in use.
  var count: Int { state.withLock { $0.buckets.values.reduce(0) { $0 + $1.count } } }

  /// Returns the identifier of a value, and creates the identifier if the value has none.
  func intern(_ value: any Hashable & Sendable) -> EffectIdentifier {
    let key = AnyHashable(value)
    let hash = key.hashValue
    var lastCompared = 0
    while true {
      // Values are compared without the lock, so other threads may add identifiers with the same hash meanwhile. Those
      // are compared next. If none was added, the value is new and gets an identifier.
      let (candidates, new) = state.withLock { state -> ([EffectIdentifier], EffectIdentifier?) in
        let candidates = state.identifiers(hash: hash, after: lastCompared)
        return (candidates, candidates.isEmpty ? add(value, hash: hash, to: &state) : nil)
      }
      if let new { return new }
      if let match = candidates.first(where: { $0.isEqual(to: key) }) { return match }
      lastCompared = candidates.last?.number ?? lastCompared
    }
  }

  /// The identifier of a value, if it is in use.
  func existing(_ value: any Hashable & Sendable) -> EffectIdentifier? {
    let key = AnyHashable(value)
    let hash = key.hashValue
    let candidates = state.withLock { $0.identifiers(hash: hash) }
    return candidates.first { $0.isEqual(to: key) }
  }

  fileprivate func remove(_ number: Int, hash: Int) {
    state.withLock { state in
      state.buckets[hash]?.removeAll { $0.number == number }
      if state.buckets[hash]?.isEmpty == true { state.buckets[hash] = nil }
    }
  }

  private func add(_ value: any Hashable & Sendable, hash: Int, to state: inout State) -> EffectIdentifier {
    state.lastNumber += 1
    let new = EffectIdentifier(number: state.lastNumber, value, hash: hash, in: self)
    state.buckets[hash, default: []].append(Entry(number: new.number, identifier: new))
    return new
  }
}

/// The identifier of an effect that was registered without one. It equals only itself.
struct UniqueEffectValue: Hashable, Sendable {
  private final class Identity: Sendable {}
  private let identity = Identity()

  static func == (left: Self, right: Self) -> Bool { left.identity === right.identity }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(identity)) }
}

/// The identifier of the effects of a shared group that were registered without one.
struct SharedEffectValue: Hashable, Sendable {}
