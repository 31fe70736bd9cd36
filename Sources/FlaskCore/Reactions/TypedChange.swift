/// The change of what a key path leads to: old and new value, typed.
public struct TypedChange<S: State, Value>: Sendable {
  let record: ReactionRecord
  // Key paths are immutable; those that capture a value that isn't `Sendable` can't be written in Swift 6 mode.
  nonisolated(unsafe) let keyPath: KeyPath<S, Value>
  private let origin: Substance<S>

  init(record: ReactionRecord, substance: Substance<S>, keyPath: KeyPath<S, Value>) {
    self.record = record
    self.keyPath = keyPath
    origin = substance
  }

  /// The value before the operation.
  public var old: Value { read { old, _ in old } }

  /// The value after the operation, whatever happened to the substance since.
  public var new: Value { read { _, new in new } }

  /// The substance that changed.
  public func substance() -> Substance<S> { origin }

  private func read(_ choose: (UnsafeRawPointer, UnsafeRawPointer) -> UnsafeRawPointer) -> Value {
    record.withStates { old, new in choose(old, new).assumingMemoryBound(to: S.self).pointee[keyPath: keyPath]
    }
  }
}
