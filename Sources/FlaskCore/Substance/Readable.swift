/// A source of a value that can be read at any time: a substance, a store, a scope, a derived value.
///
/// Flask's own types conform; client types need not. Name it where a function of yours reads a value from any of them:
///
/// ```swift
/// func show(_ price: some Readable<Int>) { print(price.value) }
/// ```
public protocol Readable<Value>: Sendable {
  /// The type of the value.
  associatedtype Value
  /// The value now.
  var value: Value { get }
}
