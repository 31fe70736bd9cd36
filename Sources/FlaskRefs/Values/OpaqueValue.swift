internal import FlaskDiff

/// A value of a type that dictionaries do not look into, such as a view controller.
///
/// Objects are kept alive, as a dictionary does, and compared by identity unless `Equatable`.
struct OpaqueValue: @unchecked Sendable {
  // @unchecked: constant, and here only copied and compared. As with `FlaskNSRef`, what may be done on which thread
  // with an object that somebody put in is for its user to know.

  let value: Any

  static func areEqual(_ a: OpaqueValue, _ b: OpaqueValue) -> Bool { StateDiff.areEqual(a.value, b.value) }
}
