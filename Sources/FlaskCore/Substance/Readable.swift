/// A source of a value that can be read at any time: a substance, a store, a scope, a derived value.
///
/// Flask's own types conform; client types need not.
public protocol Readable<Value>: Sendable {
  /// The type of the value.
  associatedtype Value
  /// The value now.
  var readableValue: Value { get }
}
