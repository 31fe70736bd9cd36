/// A type whose values have nested keys that are known only at run time, as a dictionary has. Conform a type of yours
/// whose entries observers are to name one by one.
///
/// A stored property of such a type is one key of its state, and its contents can be requested by dotted keys below
/// this key. The type should be `Equatable`; an object that is not is compared by identity, any other value bitwise.
/// Both requirements may be called on any thread that compares values.
public protocol KeyedByString {
  /// The keys right below this value, in any order.
  var nestedKeys: [String] { get }

  /// The value of a key directly below this value.
  ///
  /// - Parameter key: A key as the user writes it; it may contain dots.
  /// - Returns: the value, or `nil` if the key does not exist.
  func nestedValue(forKey key: String) -> Any?
}
