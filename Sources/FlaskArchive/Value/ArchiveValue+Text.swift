import Foundation

extension ArchiveValue {
  /// Reads JSON text in UTF-8.
  ///
  /// - Parameters:
  ///   - text: the bytes of the text.
  ///   - maximumDepth: how deep arrays and objects may be nested.
  /// - Throws: `ArchiveError.corrupt` with the offset of the byte that does not belong, or `.tooDeep`.
  /// - Complexity: O(*n*) in the number of bytes; the stack grows with the depth.
  init(text: Data, maximumDepth: Int) throws(ArchiveError) {
    var reader = ArchiveValueReader(text, maximumDepth: maximumDepth)
    self = try reader.document()
  }

  /// The value as JSON text in UTF-8, keys sorted by their Unicode scalars, without blanks.
  ///
  /// - Complexity: O(*n* log *n*); the stack grows with the depth.
  var text: Data {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return Data(bytes)
  }

  private func write(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes += "null".utf8
    case .bool(let truth): bytes += (truth ? "true" : "false").utf8
    case .number(let number): bytes += number.description.utf8
    case .string(let text): Self.write(text, to: &bytes)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        element.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      let sorted = members.sorted { $0.key.unicodeScalars.lexicographicallyPrecedes($1.key.unicodeScalars) }
      for (index, member) in sorted.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        Self.write(member.key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        member.value.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private static func write(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case 0..<0x20: bytes += (byte < 0x10 ? "\\u000" : "\\u00").utf8 + Array(String(byte, radix: 16).utf8)
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
