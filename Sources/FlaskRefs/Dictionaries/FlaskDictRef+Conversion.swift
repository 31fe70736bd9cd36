public import Foundation

extension FlaskDictRef {
  /// The contents as dictionaries, lists and values of Swift.
  ///
  /// Swift releases the result recursively, so a result with some thousand levels must be released on a thread with a
  /// large stack. Complexity: linear.
  public var dictionary: [String: Any] {
    let converted: Any = branch.fold(
      leaf: \.leaf,
      list: { $0 },
      table: { keys, values in Dictionary(uniqueKeysWithValues: zip(keys, values)) }
    )
    return converted as? [String: Any] ?? [:]
  }

  /// The contents as objects of Foundation. An explicit nil stays a ``FlaskNil``.
  ///
  /// Foundation releases the result recursively, so a result with some hundred levels must be released on a thread with
  /// a large stack. Complexity: linear.
  public var nsDictionary: NSDictionary {
    let converted: Any = branch.fold(
      leaf: \.foundationLeaf,
      list: { NSArray(array: $0) },
      table: { keys, values in NSDictionary(objects: values, forKeys: keys.map { NSString(string: $0) }) }
    )
    return converted as? NSDictionary ?? NSDictionary()
  }
}
