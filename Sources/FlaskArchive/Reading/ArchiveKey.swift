import Foundation

/// Keys as backends see them.
enum ArchiveKey {
  /// How many archives of one key are set aside at most. Beyond that the last stays where it is, and nothing is
  /// written over it.
  static let setAsideLimit = 16

  /// The key composed so that equal keys have equal bytes.
  static func canonical(_ key: String) -> String {
    key.precomposedStringWithCanonicalMapping
  }

  /// The key under which the bytes of an archive that cannot be used are kept.
  static func setAside(_ key: String, number: Int) -> String {
    "\(key).corrupt-\(number)"
  }
}
