public import Foundation

/// A place that keeps archives. It stores and returns bytes, and does not interpret them.
///
/// Conform to it to keep archives in a place of your own. `ArchiveBackendConformance` of `FlaskTesting` checks the
/// conformance. A backend stores bytes and knows nothing of states: the format, the checksum, the quarantine and the
/// delays belong to the layer above.
///
/// Any thread may call any method, and several threads may do so at once. One process makes its calls for one key one
/// after another.
///
/// Keys are Swift strings and come from users. An empty key, a key of 10,000 characters, `../x`, and keys that differ
/// only in case are valid. Two keys that differ by `==` must not collide. Keys that are equal by `==` are one key,
/// whether or not their accents are composed.
public protocol ArchiveBackend: ArchivePlace {
  /// The identity of the place where archives are kept. Two backends with equal locations share their keys.
  ///
  /// Two live archivers of one key in one location are reported as a fault. The default location is the name of the
  /// type.
  var location: String { get }

  /// Reads the bytes kept under a key.
  ///
  /// - Parameter key: the key.
  /// - Returns: the bytes of the last save, or `nil` if the key has no bytes.
  /// - Throws: when there may be bytes, but they cannot be read now: no permission, a device that fails. The caller
  ///   then overwrites nothing.
  func load(_ key: String) throws -> Data?

  /// Stores bytes under a key, replacing the stored bytes completely or not at all. Returns once the bytes are as
  /// durable as the backend can make them.
  ///
  /// - Parameters:
  ///   - data: the bytes.
  ///   - key: the key.
  /// - Throws: when the bytes are not known to be durable. The old or the new bytes are stored then.
  func save(_ data: Data, for key: String) throws

  /// Removes the bytes of a key. Nothing happens if the key has no bytes.
  ///
  /// - Parameter key: the key.
  /// - Throws: when the bytes may still be stored.
  func remove(_ key: String) throws

  /// Lists the keys that have bytes and begin with a prefix, in any order.
  ///
  /// - Parameter prefix: the prefix of the keys; the empty string lists all.
  /// - Returns: the keys. Keys that belong to no archive may be among them, if the place also keeps other data.
  /// - Throws: when the keys of the place cannot be listed.
  func keys(withPrefix prefix: String) throws -> [String]

  /// Returns, once, a warning that a user ought to see although no call failed. An example: another process uses the
  /// same place. The archiver calls the method after reads and saves. The default returns `nil`.
  ///
  /// - Returns: the warning, or `nil`.
  func takeWarning() -> ArchiveError?
}

extension ArchiveBackend {
  /// The name of the type, so all backends of one type count as one place unless they implement `location`.
  public var location: String { String(reflecting: Self.self) }

  /// Nothing to say.
  ///
  /// - Returns: `nil`.
  public func takeWarning() -> ArchiveError? { nil }
}

/// Keys as backends see them.
enum ArchiveKey {
  /// The largest number of quarantined archives of one key. When it is reached, the next unusable archive stays under
  /// its own key and is not overwritten.
  static let setAsideLimit = 16

  /// Returns the key in composed Unicode form, so that equal keys have equal bytes.
  static func canonical(_ key: String) -> String {
    // ASCII is composed already. The normalisation takes more than 10 µs, whatever the text.
    key.utf8.allSatisfy { $0 < 0x80 } ? key : key.precomposedStringWithCanonicalMapping
  }

  /// Returns the key of a quarantined copy: the bytes of an unusable archive are kept under this key.
  static func setAside(_ key: String, number: Int) -> String {
    "\(key).corrupt-\(number)"
  }
}
