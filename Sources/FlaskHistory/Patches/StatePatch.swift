/// The differences of two states: the keys that have changed, with their old and their new values.
///
/// ```swift
/// let patch = StatePatch(from: old, to: new)
/// var other = old
/// try patch.apply(to: &other)             // is now as `new`
/// try patch.inverted().apply(to: &other)  // and as `old` again
/// ```
/// A patch holds the differences, and no state. Of an array it holds the differing elements, of a dictionary the
/// entries, of a long string the differing piece, and of `Entities` the elements by identity. It can be kept and sent,
/// and knows nothing of a substance.
///
/// Of an `Encodable` state it encodes as JSON Patch (RFC 6902):
///
/// ```swift
/// for await patch in board.patches() { send(try JSONEncoder().encode(patch)) }
/// ```
public struct StatePatch<S: Sendable>: Sendable {
  let memory: MemoryChange
  /// The changes in the encoded form, or the reason why they are unknown; `nil` for a state that is not `Encodable`.
  let encoded: Result<EncodedChanges, any Error>?

  init(_ memory: MemoryChange, encoded: Result<EncodedChanges, any Error>?) {
    self.memory = memory
    self.encoded = encoded
  }

  /// The differences of two states.
  ///
  /// May be called on any thread. The two states are compared; of an `Encodable` state the changed parts are also
  /// encoded.
  public init(from old: S, to new: S) {
    self = withUnsafePointer(to: old) { old in
      withUnsafePointer(to: new) { new in
        StatePatch(
          MemoryChange(StateLayout.ofState(S.self), old: old, new: new),
          encoded: StatePatch.encodedChanges(from: old, to: new)
        )
      }
    }
  }

  /// The changes of a commit.
  init(_ commit: CommittedMemory) {
    self.init(
      MemoryChange(commit.layout, commit.changes, old: commit.old, new: commit.new),
      encoded: StatePatch.encodedChanges(from: commit.old, to: commit.new)
    )
  }

  private static func encodedChanges(from old: UnsafeRawPointer, to new: UnsafeRawPointer)
    -> Result<EncodedChanges, any Error>?
  {
    func changes<State: Encodable>(_ type: State.Type) -> Result<EncodedChanges, any Error> {
      let old = old.assumingMemoryBound(to: type)
      let new = new.assumingMemoryBound(to: type)
      return Result { try EncodedChanges(from: old.pointee, to: new.pointee) }
    }
    return (S.self as? any Encodable.Type).map { changes($0) }
  }

  /// Whether nothing differs. Complexity: O(1).
  public var isEmpty: Bool { memory.isEmpty }

  /// The keys that differ, each once, with dots between nested keys. Elements of an array are named by their offsets,
  /// entries by their keys, and elements of `Entities` by their identities.
  public var keys: [String] {
    var seen: Set<String> = []
    return values.map(\.key).filter { seen.insert($0).inserted }
  }

  /// The values of the patch: each old value with its replacement.
  public var values: [PatchedValue] {
    var values: [PatchedValue] = []
    memory.list(under: "", in: &values)
    return values
  }

  /// The number of bytes that the patch takes, as far as it is known. Strings, data and collections are counted with
  /// their contents, objects without. Complexity: linear in the size of the patch.
  public var byteCount: Int { memory.byteCount }

  /// Returns the patch that reverts this patch.
  public func inverted() -> StatePatch {
    StatePatch(memory.inverted(), encoded: encoded.map { $0.map { $0.inverted() } })
  }

  /// Applies the patch to a state in place.
  ///
  /// Each value to be replaced must be equal, by the rules of `StateDiff`, to the value from which the patch was made.
  /// Elements and pieces of strings must be at their old offsets; elements of `Entities` must exist, at any offset.
  /// Everything else in the state may be different.
  ///
  /// - Parameter state: the state to change. It stays as it was if the patch does not fit.
  /// - Throws: the key at which the patch does not fit, and the reason.
  public func apply(to state: inout S) throws(PatchMismatch) {
    try withUnsafeMutablePointer(to: &state) { state throws(PatchMismatch) in
      _ = try memory.apply(to: state, lenient: false)
    }
  }

  /// The result of applying the patch to a state. See ``apply(to:)``.
  public func applied(to state: S) throws(PatchMismatch) -> S {
    var state = state
    try apply(to: &state)
    return state
  }
}

extension StatePatch: CustomStringConvertible {
  /// A line `- key: value` for each old value, and a line `+ key: value` for each new value.
  public var description: String { values.map(\.description).joined(separator: "\n") }
}

extension StatePatch: Encodable where S: Encodable {
  /// Encodes the patch as JSON Patch: a list of operations, with a `test` before each operation that replaces or
  /// removes.
  ///
  /// If one encoder encodes both states, the patch changes the output for the old state into the output for the new
  /// state. The types may define any `encode(to:)` and `CodingKeys`. The encoder must not convert the names of keys,
  /// and the types must not read its `userInfo`.
  ///
  /// - Throws: the error that a type in the state threw when the patch was made, or throws now.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for operation in try encoded?.get().operations ?? [] {
      if let old = operation.old {
        try container.encode(WrittenOperation(op: "test", path: operation.path, value: old))
      }
      try container.encode(WrittenOperation(op: operation.name, path: operation.path, value: operation.new))
    }
  }
}
