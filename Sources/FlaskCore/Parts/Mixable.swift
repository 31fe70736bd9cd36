/// A state that can be mixed together with other states in one operation: the state of a substance or of a scope.
///
/// Flask's own types conform; client types need not.
public protocol Mixable<Part>: Sendable {
  /// The value that the closure of a mix changes.
  associatedtype Part: Sendable
  /// The state as a part of its substance.
  var mixablePart: MixablePart<Part> { get }
}

extension Substance: Mixable {
  /// The whole state.
  public var mixablePart: MixablePart<S> { MixablePart(self, nil) }
}

/// Reads and changes one part of a state.
package protocol MixableAccess<Part>: AnyObject, Sendable {
  associatedtype Part: Sendable
  /// The steps from the state to the part. A comparison of the steps finds overlapping parts.
  var steps: [PartStep] { get }

  /// The part of a state; `nil` if it no longer exists.
  func value(in state: UnsafeRawPointer) -> Part?

  /// Passes the part of a draft to `body`.
  ///
  /// - Returns: `false`, without calling `body`, if the part no longer exists.
  func modify(_ draft: UnsafeMutableRawPointer, _ body: (inout Part) throws -> Void) rethrows -> Bool
}
