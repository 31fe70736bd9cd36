extension FlaskDictRef: Equatable {
  /// Whether both have the same keys and values, nested ones included.
  ///
  /// Numbers of different kinds differ, as do nil and null; NaN equals itself. Complexity: linear, O(1) for copies.
  public static func == (a: FlaskDictRef, b: FlaskDictRef) -> Bool { Branch.areEqual(a.branch, b.branch) }
}
