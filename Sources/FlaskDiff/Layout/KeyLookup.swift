/// What a dotted path means to a layout.
package enum KeyLookup: Equatable, Sendable {
  /// A key of the layout, by its number.
  case key(Int)
  /// A key that only a value can have: `rest` is what is to be looked up below the key number `under`.
  case nested(under: Int, rest: String)
  /// No value of the type can have such a key.
  case unknown
}
