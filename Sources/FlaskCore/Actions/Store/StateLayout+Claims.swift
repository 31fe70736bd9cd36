@_spi(FlaskInternals) internal import FlaskDiff

extension StateLayout {
  /// The number of the key that a key path leads to; `nil` if it leads to none.
  func index<S>(of keyPath: PartialKeyPath<S>) -> Int? {
    let type = Swift.type(of: keyPath).valueType
    if let offset = MemoryLayout<S>.offset(of: keyPath), let key = index(offset: offset, type: type) {
      return key
    }
    let prefix = "\\\(S.self)."
    let text = String(describing: keyPath)
    return text.hasPrefix(prefix) ? index(of: String(text.dropFirst(prefix.count))) : nil
  }

  /// Whether `key` is `other`, or a property somewhere below it.
  func isInside(_ key: Int, _ other: Int) -> Bool {
    var next: Int? = key
    while let present = next {
      if present == other { return true }
      next = parent(of: present)
    }
    return false
  }
}
