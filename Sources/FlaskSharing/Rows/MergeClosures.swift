internal import FlaskPrimitives

/// The closures by which a client merges values that were changed in two processes, by type.
final class MergeClosures: Sendable {
  private struct Entry<Value>: Sendable {
    let merge: @Sendable (_ base: Value, _ mine: Value, _ theirs: Value) -> Value
  }

  private let entries = Lock<[ObjectIdentifier: any Sendable]>([:])

  func set<Value>(_ merge: @escaping @Sendable (_ base: Value, _ mine: Value, _ theirs: Value) -> Value) {
    entries.withLockReleasing { $0.updateValue(Entry(merge: merge), forKey: ObjectIdentifier(Value.self)) }
  }

  func closure<Value>(for type: Value.Type) -> (@Sendable (Value, Value, Value) -> Value)? {
    (entries.withLock { $0[ObjectIdentifier(type)] } as? Entry<Value>)?.merge
  }
}
