public import Foundation

/// A place where archives are kept: bytes in, bytes out.
///
/// Adopt it to keep archives in a place of your own; `ArchiveBackendConformance` of `FlaskTesting` checks an adoption.
/// A backend stores bytes and knows nothing of states: the format, the checksum, the quarantine and the delays belong
/// to the layer above.
///
/// Any thread may call any method, several at once. Calls for one key come one after another from one process.
///
/// Keys are Swift strings and come from users: an empty one, one of 10,000 characters, `../x`, and names that differ
/// only in case are keys like any other, and no two keys that differ by `==` may collide. Keys that are equal by `==`
/// are one key, however their accents are composed.
public protocol ArchiveBackend: ArchivePlace {
  /// Says which place this is. Two backends of the same location share their keys.
  ///
  /// By it two live archivers of one key are detected. The default is the name of the type.
  var location: String { get }

  /// Reads the bytes kept under a key.
  ///
  /// - Parameter key: the key.
  /// - Returns: the bytes that were saved last, or `nil` if there are none.
  /// - Throws: when there may be bytes, but they cannot be read now: no permission, a device that fails. The caller
  ///   then overwrites nothing.
  func load(_ key: String) throws -> Data?

  /// Stores bytes under a key, replacing the old ones, completely or not at all, and returns once they are as durable
  /// as the backend can make them.
  ///
  /// - Parameters:
  ///   - data: the bytes.
  ///   - key: the key.
  /// - Throws: when the bytes are not known to be durable. The old or the new bytes are stored then.
  func save(_ data: Data, for key: String) throws

  /// Removes the bytes under a key; nothing happens if there are none.
  ///
  /// - Parameter key: the key.
  /// - Throws: when the bytes may still be there.
  func remove(_ key: String) throws

  /// Lists the keys that have bytes and begin with a prefix, in any order.
  ///
  /// - Parameter prefix: the prefix of the keys; the empty string lists all.
  /// - Returns: the keys. Those that are not archives (other things kept in the same place) may be among them.
  /// - Throws: when the place cannot be listed.
  func keys(withPrefix prefix: String) throws -> [String]

  /// Returns, once, a warning that a user ought to see although no call failed: another process uses the same place,
  /// say. Asked after each call; the default has nothing to say.
  ///
  /// - Returns: the concern, or `nil`.
  func takeWarning() -> ArchiveError?
}

extension ArchiveBackend {
  /// The name of the type: backends that do not say otherwise are taken to be one place for each type.
  public var location: String { String(reflecting: Self.self) }

  /// Nothing to say.
  ///
  /// - Returns: `nil`.
  public func takeWarning() -> ArchiveError? { nil }
}

/// Keys as backends see them.
enum ArchiveKey {
  /// The largest number of quarantined archives of one key. Beyond that the last stays where it is, and is not
  /// overwritten.
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
