/// How two values of a type whose bits differ are compared.
///
/// The base class is for what cannot be looked into: different bits are a difference. Subclasses store constants
/// only.
package class Comparison: @unchecked Sendable {
  // `@unchecked` since the class is not final; see above for the proof.

  /// Whether two values are the same. Both pointers must point to initialised values of the type this was made for.
  func areEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, depth: Int) -> Bool { false }

  /// Whether two values are the same, where they lie too deep to be looked into any further.
  func areEqualUnwalked(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer) -> Bool { false }

  /// The fast path: whether two values are known to differ at little cost; false tells nothing.
  ///
  /// - Parameter hint: where to look first; and where the difference was, if one was found in looking further.
  func hasObviousDifference(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, hint: inout String?) -> Bool {
    false
  }
}

/// A comparison by what the subclass of a comparison would need a file of its own for: a closure.
///
/// The closure captures nothing but types and records, so any thread may call it.
final class ComparisonByClosure: Comparison, @unchecked Sendable {
  private let areEqual: (UnsafeRawPointer, UnsafeRawPointer, Int) -> Bool

  init(_ areEqual: @escaping (UnsafeRawPointer, UnsafeRawPointer, Int) -> Bool) { self.areEqual = areEqual }

  override func areEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, depth: Int) -> Bool {
    areEqual(a, b, depth)
  }
}

/// A type that is compared by its contents even when these are not `Equatable`: an optional or a collection.
package protocol ContentCompared {
  /// How two values are compared by content.
  static func contentComparison() -> Comparison
  /// What lies below a value and has a name.
  static func contentContainer() -> Container
  /// The types of the contents.
  static func contentRecords() -> [TypeRecord]
}
