/// A state that can be mixed together with other states in one operation: the state of a substance or of a scope.
///
/// Flask's own types conform; client types need not. Name it where a function of yours takes a substance or a scope:
///
/// ```swift
/// func reset(_ state: some Mixable<AppState>) { state.mixableScope.mix { $0 = AppState() } }
/// ```
public protocol Mixable<Part>: Sendable {
  /// The value that the closure of a mix changes.
  associatedtype Part: Sendable
  /// This state as an argument of a mix: its substance, and the part of the substance's state that is mixed.
  var _mixablePart: _MixablePart<Part> { get }
}

extension Substance: Mixable {
  /// The whole state.
  public var _mixablePart: _MixablePart<S> { _MixablePart(.retained(self), nil) }
}

/// Reads and changes one part of a state.
package protocol MixableAccess<Part>: AnyObject, Sendable {
  associatedtype Part: Sendable
  /// The steps that lead from the state to the part. Parts that overlap are found by a comparison of their steps.
  var steps: [PartStep] { get }

  /// The part of a state; `nil` if it no longer exists.
  func value(in state: UnsafeRawPointer) -> Part?

  /// Passes the part of the given draft to `body`, which may change it.
  ///
  /// - Returns: `false`, without calling `body`, if the part no longer exists.
  func modify(_ draft: UnsafeMutableRawPointer, _ body: (inout Part) throws -> Void) rethrows -> Bool
}
