/// A type whose values have nested keys that are known only at run time, as a dictionary has.
///
/// A stored property of such a type is one key of its state, and its content can be requested by dotted keys below it.
/// The type should be `Equatable`; an object that is not is compared by identity, any other value bitwise. Both
/// requirements may be called on any thread that compares values.
public protocol KeyedByString {
  /// The keys right below this value, in any order.
  var nestedKeys: [String] { get }

  /// The value of one key right below this value.
  ///
  /// - Parameter key: A key as the user writes it; it may contain dots.
  /// - Returns: The value, or `nil` when there is no such key.
  func nestedValue(forKey key: String) -> Any?
}
