/// Operations on the bytes of a JSON text that need not parse it.
package enum JSONText {
  /// Returns the nesting depth of arrays and objects in a text, which need not be well-formed.
  ///
  /// - Parameter text: the bytes of the text in UTF-8.
  /// - Returns: the deepest level; 0 if the text has no arrays and objects.
  /// - Complexity: O(*n*) in the number of bytes, no recursion.
  @inlinable
  package static func depth(of text: some Sequence<UInt8>) -> Int {
    // Iterating over `Data` takes several times as long as iterating over its bytes.
    text.withContiguousStorageIfAvailable { depth(ofEach: $0) } ?? depth(ofEach: text)
  }

  @inlinable
  static func depth(ofEach text: some Sequence<UInt8>) -> Int {
    var depth = 0
    var deepest = 0
    var isInString = false
    var isEscaped = false
    for byte in text {
      if isEscaped {
        isEscaped = false
      } else if isInString {
        isEscaped = byte == UInt8(ascii: "\\")
        isInString = byte != UInt8(ascii: "\"")
      } else if byte == UInt8(ascii: "\"") {
        isInString = true
      } else if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
        depth += 1
        deepest = max(deepest, depth)
      } else if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
        depth -= 1
      }
    }
    return deepest
  }

  /// Appends a text as a JSON string: in quotes, with escapes where JSON needs them.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  package static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case 0x0A: bytes += "\\n".utf8
      case 0..<0x10: bytes += ("\\u000" + String(byte, radix: 16)).utf8
      case 0x10..<0x20: bytes += ("\\u00" + String(byte, radix: 16)).utf8
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
