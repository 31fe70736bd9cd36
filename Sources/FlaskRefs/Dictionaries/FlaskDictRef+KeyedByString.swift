public import FlaskDiff

extension FlaskDictRef: KeyedByString {
  /// The keys of this dictionary, written so that none can be taken for a path: `\.` for a dot and `\\` for a backslash
  /// in a key.
  public var nestedKeys: [String] { branch.table.keys.map(NestedKey.written) }

  /// The value of one key, written as in ``nestedKeys`` or plainly.
  ///
  /// A plain key with dots is found only as long as no key reads like a beginning of it: where there is a key `a`, `a.b`
  /// is the entry `b` of `a`, and the entry `a.b` is had by `a\.b`.
  public func nestedValue(forKey key: String) -> Any? {
    NestedKey.find(key) { branch.table[$0] }?.outside
  }
}
