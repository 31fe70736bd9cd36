/// How two values of a type whose bits differ are compared.
///
/// The base class is for what cannot be looked into: different bits are a difference. Subclasses store constants
/// only.
class Comparison: @unchecked Sendable {
  // `@unchecked` since the class is not final; see above for the proof.

  /// Whether two values are the same. Both pointers must point to initialised values of the type this was made for.
  func areEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, depth: Int) -> Bool { false }

  /// Whether a quick look is enough to know that two values differ; false tells nothing.
  ///
  /// - Parameter hint: where to look first; and where the difference was, if one was found in looking further.
  func surelyDiffer(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, hint: inout String?) -> Bool { false }
}
