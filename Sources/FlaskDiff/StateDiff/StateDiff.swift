/// Tells which keys differ between two values of a type, by walking its stored properties.
///
/// ```swift
/// let changes = StateDiff.changes(from: old, to: new)
/// if changes.contains("info.nest.foo") { print(changes) }
/// ```
///
/// Structs are compared by property, optionals by content, dictionaries with string keys by key, `Equatable` values by
/// `==`, objects by identity unless `Equatable`, enums by case and payload, closures and their like bitwise. NaN equals
/// itself, and properties whose names begin with `_` take no part.
public enum StateDiff {
  /// The differences between two values.
  ///
  /// May be called on any thread; the values are kept by the result. Complexity: O(size of the values), contents are
  /// looked at only where storage differs; the first call for a type works out its layout.
  public static func changes<State>(from old: State, to new: State) -> StateChanges<State> {
    changes(from: old, to: new, way: .preferred)
  }

  /// Whether two values are the same by the rules of ``changes(from:to:)``.
  ///
  /// Where `==` calls the values equal, so does this.
  public static func areEqual<Value>(_ a: Value, _ b: Value) -> Bool {
    areEqual(a, b, way: .preferred)
  }

  /// The differences, with the layout had in a certain way.
  package static func changes<State>(from old: State, to new: State, way: LayoutWay) -> StateChanges<State> {
    StateChanges(old: old, new: new, way: way)
  }

  /// Whether two values are the same, with the layout had in a certain way.
  package static func areEqual<Value>(_ a: Value, _ b: Value, way: LayoutWay) -> Bool {
    withUnsafePointer(to: a) { a in
      withUnsafePointer(to: b) { b in TypeRecord.of(Value.self, way: way).areEqual(a, b, depth: 0) }
    }
  }
}
