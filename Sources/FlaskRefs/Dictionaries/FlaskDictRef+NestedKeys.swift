extension FlaskDictRef: KeyedByString {
  /// The keys of this dictionary in a form that cannot be mistaken for a path: a dot in a key is written `\.`, a
  /// backslash `\\`.
  public var nestedKeys: [String] { branch.table.keys.map(NestedKey.written) }

  /// Returns the value of one key. The key may be escaped as in ``nestedKeys``, or unescaped.
  ///
  /// An unescaped key `a.b` is found only if the dictionary has no key `a`. Otherwise `a.b` is the entry `b` of `a`,
  /// and the entry with the key `a.b` is read as `a\.b`.
  public func nestedValue(forKey key: String) -> Any? {
    NestedKey.find(key) { branch.table[$0] }?.exported
  }
}
