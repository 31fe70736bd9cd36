extension Flask {
  /// The values of any number of substances, stores, scopes and derived values as a consistent snapshot: no operation
  /// was committed between two of them. It may be called on any thread at any time.
  ///
  /// ```swift
  /// let (accounts, journal) = Flask.snapshot(accounts, journal)
  /// ```
  /// Substances of different fluxes have no common snapshot: the values of each flux are consistent among themselves.
  public static func snapshot<each Source: Readable>(_ source: repeat each Source) -> (
    repeat (each Source).Value
  ) {
    ConsistentRead.perform { _ in (repeat (each source).value) }
  }

  /// A consistent snapshot of two values. For any number see `snapshot(_:)`. With this form the compiler also finds the
  /// types inside the arguments of another call: `print(Flask.snapshot(a, b).0.count)`.
  public static func snapshot<A: Readable, B: Readable>(_ a: A, _ b: B) -> (A.Value, B.Value) {
    ConsistentRead.perform { _ in (a.value, b.value) }
  }

  /// A consistent snapshot of three values. See `snapshot(_:_:)`.
  public static func snapshot<A: Readable, B: Readable, C: Readable>(_ a: A, _ b: B, _ c: C) -> (
    A.Value, B.Value, C.Value
  ) {
    ConsistentRead.perform { _ in (a.value, b.value, c.value) }
  }
}
