/// What has a value that can be read at any time: a substance, a store, a scope, a derived value.
///
/// Flask's own types conform; there is nothing to gain from conforming another.
public protocol Readable<Value>: Sendable {
  /// What is read.
  associatedtype Value
  /// The value now.
  var readableValue: Value { get }
}

extension TypedSubstance: Readable {
  /// The committed state.
  public var readableValue: S { state }
}

extension Scope: Readable {
  /// The part of the committed state.
  public var readableValue: Part { value }
}

extension Flask {
  /// The values of any number of substances, stores, scopes and derived values, all of one moment: no operation was
  /// committed between two of them. From any thread, at any time.
  ///
  /// ```swift
  /// let (accounts, journal) = Flask.snapshot(accounts, journal)
  /// ```
  /// Those that belong to different buses have no moment in common: of each bus the values are of one.
  public static func snapshot<each Source: Readable>(_ source: repeat each Source) -> (
    repeat (each Source).Value
  ) {
    Moment.perform { (repeat (each source).readableValue) }
  }
}
