/// How a key of a dictionary is written as a component of a dotted path.
package enum NestedKey {
  /// The key with a backslash before each dot and backslash.
  package static func written(_ key: String) -> String {
    guard key.utf8.contains(where: isSpecial) else { return key }
    var bytes: [UInt8] = []
    for byte in key.utf8 {
      if isSpecial(byte) { bytes.append(backslash) }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the result of `entry` for the unescaped form of `key`. If this is `nil`, returns the result for `key`
  /// itself.
  ///
  /// An unescaped key with dots is not found if an entry exists for its beginning before a dot. It is then a path.
  package static func find<Value>(_ key: String, entry: (String) -> Value?) -> Value? {
    guard key.utf8.contains(where: isSpecial) else { return entry(key) }
    if let value = read(key).flatMap(entry) { return value }
    for index in dots(in: Substring(key)) {
      let beginning = String(key[..<index])
      if entry(beginning) != nil || read(beginning).flatMap(entry) != nil { return nil }
    }
    return entry(key)
  }

  /// The places of the dots that separate the components of a path: those without a backslash before them.
  ///
  /// A dot is a byte. With a scalar behind it that combines, it would be another character.
  static func dots(in path: Substring) -> [String.Index] {
    var dots: [String.Index] = []
    var isEscaped = false
    for index in path.utf8.indices {
      let byte = path.utf8[index]
      if byte == dot, !isEscaped { dots.append(index) }
      isEscaped = byte == backslash && !isEscaped
    }
    return dots
  }

  /// The first component of a path, and the path after it; `nil` if it has one component.
  static func split(_ path: Substring) -> (name: Substring, rest: Substring?) {
    guard let dot = path.utf8.firstIndex(of: dot) else { return (path, nil) }
    return (path[..<dot], path[path.utf8.index(after: dot)...])
  }

  /// Returns the unescaped key; `nil` if `written` contains an unescaped dot or backslash.
  static func read(_ written: String) -> String? {
    guard written.utf8.contains(where: isSpecial) else { return written }
    var bytes: [UInt8] = []
    var isEscaped = false
    for byte in written.utf8 {
      if isEscaped {
        guard isSpecial(byte) else { return nil }
        isEscaped = false
      } else if byte == backslash {
        isEscaped = true
        continue
      } else if byte == dot {
        return nil
      }
      bytes.append(byte)
    }
    return isEscaped ? nil : String(decoding: bytes, as: UTF8.self)
  }

  private static let dot = UInt8(ascii: ".")
  private static let backslash = UInt8(ascii: "\\")
  private static func isSpecial(_ byte: UInt8) -> Bool { byte == dot || byte == backslash }
}
