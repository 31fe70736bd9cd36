/// A source of state that can be mixed together with others in one operation: a substance, or a scope of one.
///
/// Flask's own types conform; there is nothing to gain from conforming another.
public protocol Mixable<Part>: Sendable {
  /// The value that the closure of a mix changes.
  associatedtype Part: Sendable
  /// The substance, or the part of it.
  var mixablePart: MixablePart<Part> { get }
}

extension Substance: Mixable {
  /// The whole state.
  public var mixablePart: MixablePart<S> { MixablePart(self, nil) }
}

/// How to get from a state to a part of it.
package protocol MixableAccess<Part>: AnyObject, Sendable {
  associatedtype Part: Sendable
  /// The steps that lead there, by which overlapping parts are found.
  var steps: [PartStep] { get }

  /// The part of a state; `nil` if it no longer exists.
  func value(in state: UnsafeRawPointer) -> Part?

  /// Passes the part of a draft to `body`.
  ///
  /// - Returns: `false`, without calling `body`, if the part no longer exists.
  func modify(_ draft: UnsafeMutableRawPointer, _ body: (inout Part) throws -> Void) rethrows -> Bool
}
