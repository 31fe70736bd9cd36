import Foundation

/// The name of a key's file: lower-case letters, digits and a few signs, never longer than a file system allows, and
/// never the same for two keys.
///
/// Lower-case letters, digits, `-`, `_`, and a `.` that is not the first character, stay as they are. A capital is `^`
/// and its lower-case letter, so that a file system that ignores case keeps `a` and `A` apart. Every other byte of the
/// key's UTF-8 is `%` and two digits, so that no slash, no blank and no accent is left. The empty key is `%`.
///
/// A name that would be longer than 120 characters is cut to 48, followed by `~` and the SHA-256 of the key. A
/// shortened file name does not contain its key. A second file next to it contains the key, and is written before the
/// first.
struct FileName: Hashable {
  private static let longest = 120
  private static let cut = 48
  private static let dataSuffix = ".archive"
  private static let journalSuffix = ".journal"

  private static let temporarySuffix = ".flask-tmp"

  /// The key in composed Unicode form, so that equal keys have equal bytes.
  let key: String

  private let stem: String

  /// Makes the file name of a key.
  ///
  /// - Complexity: O(*n*) in the length of the key.
  init(_ key: String) {
    self.key = ArchiveKey.canonical(key)
    let escaped = Self.escape(self.key)
    stem =
      escaped.utf8.count <= Self.longest
      ? escaped : "\(escaped.prefix(Self.cut))~\(SHA256(Array(self.key.utf8)).hexadecimal)"
  }

  /// The file that has the bytes.
  var data: String { stem + Self.dataSuffix }

  /// The name of the file that contains the archive's journal: the bytes that were appended to the archive.
  var journal: String { stem + Self.journalSuffix }

  /// The name of the temporary file. The bytes are written to it, and then it replaces the old file.
  var temporary: String { stem + Self.temporarySuffix }

  /// The name of the file that contains the long key; `nil` if the archive's file name contains the key.
  var longKey: String? { stem.contains("~") ? stem + ".key" : nil }

  /// Returns the key whose archive a file contains, or `nil` if the file contains no archive.
  ///
  /// - Parameters:
  ///   - name: the name of the file.
  ///   - read: reads the file that contains a long key.
  /// - Returns: the key.
  static func key(of name: String, reading read: (String) -> Data?) -> String? {
    guard name.hasSuffix(dataSuffix) else { return nil }
    let stem = name.dropLast(dataSuffix.count)
    let key =
      stem.contains("~")
      ? read("\(stem).key").flatMap { String(bytes: $0, encoding: .utf8) }
      : unescape(stem)
    return key.flatMap { FileName($0).data == name ? $0 : nil }
  }

  /// Returns true if a file has the name of a save's temporary file. Files with other names must not be removed.
  static func isTemporary(_ name: String) -> Bool {
    guard name.hasSuffix(temporarySuffix) else { return false }
    let stem = name.dropLast(temporarySuffix.count)
    if stem.contains("~") { return stem.utf8.count == cut + 65 }
    return unescape(stem).map { FileName($0).temporary == name } ?? false
  }

  /// The escaped form of a text. It has no character with a meaning for a file system.
  static func escape(_ text: String) -> String {
    guard !text.isEmpty else { return "%" }
    var escaped = ""
    for (index, byte) in text.utf8.enumerated() {
      let scalar = Unicode.Scalar(byte)
      switch scalar {
      case "a"..."z", "0"..."9", "-", "_": escaped.unicodeScalars.append(scalar)
      case "." where index > 0: escaped.append(".")
      case "A"..."Z": escaped += "^\(Character(Unicode.Scalar(byte | 0x20)))"
      default: escaped += "%\(String(byte >> 4, radix: 16))\(String(byte & 0xF, radix: 16))"
      }
    }
    return escaped
  }

  private static func unescape(_ escaped: some StringProtocol) -> String? {
    if escaped == "%" { return "" }
    var bytes: [UInt8] = []
    var rest = Array(escaped.utf8)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "^"):
        guard let letter = rest.popFirst() else { return nil }
        bytes.append(letter & ~0x20)
      case UInt8(ascii: "%"):
        guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
        else {
          return nil
        }
        rest = rest.dropFirst(2)
        bytes.append(value)
      default: bytes.append(byte)
      }
    }
    return String(bytes: bytes, encoding: .utf8)
  }
}
