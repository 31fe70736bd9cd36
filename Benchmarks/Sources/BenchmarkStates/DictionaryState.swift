public import FlaskCore

/// A state that is one dictionary of 10,000 entries.
public struct DictionaryState: FlaskState {
  public var entries = DictionaryState.entries(10_000)

  /// The initial state.
  public init() {}

  /// The entries `key0` to `key(count - 1)`, numbered. Complexity: O(`count`).
  public static func entries(_ count: Int) -> [String: Int] {
    Dictionary(uniqueKeysWithValues: (0..<count).map { ("key\($0)", $0) })
  }
}
