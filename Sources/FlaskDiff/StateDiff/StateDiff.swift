/// Computes which keys differ between two values of a type, by walking its stored properties.
///
/// ```swift
/// let changes = StateDiff.changes(from: old, to: new)
/// if changes.contains("info.nest.foo") { print(changes) }
/// ```
///
/// Structs are compared by property, wherever they are and whatever their `==` says. Optionals are compared by content,
/// dictionaries with string keys by key, other `Equatable` values by `==`, enums by case and payload. Objects are
/// compared by identity unless they are `Equatable`, and closures and similar values by their bits. NaN equals itself.
///
/// Properties of the type itself whose names begin with `_` are excluded, as are those of nested types that conform to
/// ``HidesUnderscored``. No other property is excluded: a type of a library may keep all that it has behind such names.
public enum StateDiff {
  /// The differences between two values.
  ///
  /// May be called on any thread; the values are kept by the result. Complexity: O(size of the values); contents are
  /// compared only if their storage differs. The first call for a type computes its layout.
  public static func changes<State>(from old: State, to new: State) -> StateChanges<State> {
    withUnsafePointer(to: old) { old in
      withUnsafePointer(to: new) { new in StateChanges(values: StatePair(old: old, new: new)) }
    }
  }

  /// Whether two values are the same by the rules of ``changes(from:to:)``.
  public static func areEqual<Value>(_ a: Value, _ b: Value) -> Bool {
    let layout = StateLayout.ofState(Value.self)
    var changed = ChangeSet()
    withUnsafePointer(to: a) { a in
      withUnsafePointer(to: b) { b in layout.compare(old: a, new: b, into: &changed) }
    }
    return changed.isEmpty
  }
}
