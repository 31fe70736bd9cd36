extension StateLayout {
  /// Returns the index of the key with a dotted path; `nil` if the layout has no such key. Nested keys are included.
  ///
  /// Allocates nothing. Complexity: O(length of the path).
  package func index(of path: String) -> Int? { paths.index(of: path) }

  /// Returns the index of the key with a dotted path; -1 if the layout has no such key.
  ///
  /// It is fast, since handlers look up names at each commit: the result is not an optional, and short paths are found
  /// by the two words of their string.
  package func key(at path: String) -> Int {
    let key = shortPaths.key(of: path)
    return key >= 0 ? key : index(of: path) ?? -1
  }

  /// Looks up a dotted path: the result is a key, a path below a key, or unknown.
  ///
  /// The longest beginning of the path that is a key of the layout decides. The result is `.nested` if a value of this
  /// key may have a key with the rest of the path, and `.unknown` otherwise. Complexity: O(length of the path),
  /// multiplied by the number of its dots if it is nested.
  package func lookup(_ path: String) -> KeyLookup {
    if let key = paths.index(of: path) { return .key(key) }
    guard let prefix = paths.longestPrefix(of: path) else {
      return keyCount == 1 && info[0].path.isEmpty && root.nested.canHold(Substring(path))
        ? .nested(under: 0, rest: path) : .unknown
    }
    let rest = path.utf8.dropFirst(prefix.end + 1)
    // The rest of the path is made from its UTF-8 bytes. The path was cut at a dot, which is a whole Unicode scalar, so
    // the rest is a valid string.
    let text = Substring(rest)
    return info[prefix.index].record.nested.canHold(text)
      ? .nested(under: prefix.index, rest: String(text)) : .unknown
  }

  /// Returns the index of the key at an offset, as `MemoryLayout.offset(of:)` returns it for a key path.
  ///
  /// The type of the property distinguishes a struct from its first property, which has the same offset. Complexity:
  /// O(1).
  package func index(offset: Int, type: Any.Type) -> Int? {
    let key = offsets.key(offset: offset, type: type)
    return key < 0 ? nil : key
  }

  /// Returns the index of the key at an offset of a state. The result is -1 if the state has another layout, or if no
  /// key has this offset. To be as fast as the lookup itself, the function makes one call, and the result is not an
  /// optional.
  package func key(of state: Any.Type, offset: Int, type: Any.Type) -> Int {
    root.type == state ? offsets.key(offset: offset, type: type) : -1
  }

  /// Returns the index of the key at a key path; `nil` if the key path leads to a computed property or through an
  /// optional.
  package func index<State>(of keyPath: PartialKeyPath<State>) -> Int? {
    if let offset = MemoryLayout<State>.offset(of: keyPath),
      let key = index(offset: offset, type: type(of: keyPath).valueType)
    {
      return key
    }
    return indexWithoutOffset(of: keyPath)
  }

  /// Returns the index of the key at a key path whose value has no known offset.
  package func indexWithoutOffset(of keyPath: AnyKeyPath) -> Int? {
    let stored = StoredProperties(of: keyPath, in: root)
    if stored.isWhole {
      return index(of: stored.names.joined(separator: ".")).flatMap { info[$0].isOpaqueStorage ? nil : $0 }
    }
    // If the key path has no offset that is known, its components are read from its description.
    guard let text = Self.text(of: keyPath), let key = index(of: String(text)) else { return nil }
    return info[key].isOpaqueStorage ? nil : key
  }

  /// Returns the index of the key of the stored property with which a key path begins; `nil` if it begins with anything
  /// else. Any components may follow: optional chaining, a subscript, a computed property. The value at the key path
  /// can't change unless this key changes.
  package func firstKey(of keyPath: AnyKeyPath) -> Int? {
    let stored = StoredProperties(of: keyPath, in: root).names.first
    let name =
      stored
      ?? Self.text(of: keyPath).map { $0.prefix { $0.isLetter || $0.isNumber || $0 == "_" } }.map(String.init)
    guard let name else { return nil }
    // The result is `nil` if the wrapper of the property computes its value, which may depend on more than the stored
    // wrapper.
    return index(of: name).flatMap { info[$0].isOpaqueStorage ? nil : $0 }
  }

  /// The keys of the references, `weak` or `unowned`, that a key path passes or leads to.
  package func references(along keyPath: AnyKeyPath) -> [Int] {
    var path = ""
    var references: [Int] = []
    for name in StoredProperties(of: keyPath, in: root).names {
      path += path.isEmpty ? name : "." + name
      if let key = index(of: path), info[key].record is ReferenceRecord { references.append(key) }
    }
    return references
  }

  /// Whether a key path leads to or through a property that is hidden since its name begins with `_`.
  package func isHidden(_ keyPath: AnyKeyPath) -> Bool {
    guard let text = Self.text(of: keyPath), text.contains("_") else { return false }
    var record = root
    var isHiding = hidesUnderscored
    for component in text.split(separator: ".") {
      let name = component.prefix { $0 != "?" && $0 != "!" }
      guard let field = record.fields.fields.first(where: { $0.name == name }) else { return false }
      if isHiding, field.isUnderscored { return true }
      record = field.value.record
      // A chain continues in the content of an optional.
      for _ in 0..<(component.count - name.count) { record = record.contentRecords?.first ?? record }
      isHiding = record.type is any HidesUnderscored.Type
    }
    return false
  }

  /// Whether `key` is `other`, or a property somewhere below it.
  package func isInside(_ key: Int, _ other: Int) -> Bool {
    var next: Int? = key
    while let present = next {
      if present == other { return true }
      next = parent(of: present)
    }
    return false
  }

  /// The components of a key path as text. The name of the type is cut off, since it may begin with any character.
  private static func text(of keyPath: AnyKeyPath) -> Substring? {
    let prefix = "\\\(type(of: keyPath).rootType)."
    let text = String(describing: keyPath)
    return text.hasPrefix(prefix) ? text.dropFirst(prefix.count) : nil
  }
}
