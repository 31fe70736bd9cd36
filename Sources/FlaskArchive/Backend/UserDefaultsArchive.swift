public import Foundation

/// Keeps archives in `UserDefaults`.
///
/// It is the default backend on Apple's systems. On other systems `UserDefaults` writes its whole file in place, and a
/// process killed during the write loses the whole file: use `FileArchive` on those systems. `save` flushes by
/// `synchronize()`. On Apple's systems this passes the bytes to the preferences daemon, so a kill of this process
/// cannot lose them.
///
/// A string under the key is read as UTF-16 text, since an older framework may have kept the text itself. A value of
/// any other type than data or string is an error. Any thread may use it.
public struct UserDefaultsArchive: ArchiveBackend, @unchecked Sendable {
  // @unchecked:
  // - Invariant: `UserDefaults` is documented as thread-safe, but not annotated as `Sendable` on every platform.
  // - If violated: a data race.
  private let defaults: UserDefaults

  /// The place of the archives: the standard defaults, the name of a suite, or the location given to
  /// `init(_:location:)`.
  public let location: String

  /// Keeps archives in the standard defaults.
  public init() {
    defaults = .standard
    location = "UserDefaults.standard"
  }

  /// Keeps archives in a suite of defaults. The result is `nil` if a suite cannot have this name.
  ///
  /// - Parameter suiteName: the name of the suite. On systems other than Apple's the name becomes a file name, so a
  ///   name with a slash is refused.
  public init?(suiteName: String) {
    guard !suiteName.isEmpty, !suiteName.contains("/"), !suiteName.contains("\0"), suiteName != "..",
      let defaults = UserDefaults(suiteName: suiteName)
    else { return nil }
    self.defaults = defaults
    location = "UserDefaults.\(suiteName)"
  }

  /// Stores archives in given defaults.
  ///
  /// - Parameters:
  ///   - defaults: the defaults.
  ///   - location: identifies the defaults. Two archives with equal locations are taken to share their keys.
  public init(_ defaults: UserDefaults, location: String) {
    self.defaults = defaults
    self.location = "UserDefaults.\(location)"
  }

  /// Reads the bytes kept under a key.
  ///
  /// - Parameter key: the key.
  /// - Returns: the bytes, or `nil` if the key has no bytes.
  /// - Throws: `ArchiveError.notBytes` when the value of the key is neither data nor a string.
  public func load(_ key: String) throws -> Data? {
    let key = ArchiveKey.canonical(key)
    switch defaults.object(forKey: Self.stored(key)) {
    case nil: return nil
    case let data as Data: return data
    case let text as String: return text.data(using: .utf16)
    case .some: throw ArchiveError.notBytes(key: key)
    }
  }

  /// Stores bytes under a key and asks the system to write them.
  ///
  /// - Parameters:
  ///   - data: the bytes.
  ///   - key: the key.
  /// - Throws: `ArchiveError.notSynchronized` when the defaults could not be written.
  public func save(_ data: Data, for key: String) throws {
    defaults.set(data, forKey: Self.stored(ArchiveKey.canonical(key)))
    try synchronize()
  }

  /// Removes the bytes under a key.
  ///
  /// - Parameter key: the key.
  /// - Throws: `ArchiveError.notSynchronized` when the defaults could not be written.
  public func remove(_ key: String) throws {
    let stored = Self.stored(ArchiveKey.canonical(key))
    guard defaults.object(forKey: stored) != nil else { return }
    defaults.removeObject(forKey: stored)
    try synchronize()
  }

  /// Lists the keys that begin with a prefix and hold bytes or text. The app's other preferences can be among them.
  ///
  /// - Parameter prefix: the prefix of the keys.
  /// - Returns: the keys, sorted.
  /// - Complexity: O(*n* log *n*) in the number of all entries of the defaults.
  public func keys(withPrefix prefix: String) -> [String] {
    defaults.dictionaryRepresentation()
      .filter { $0.value is Data || $0.value is String }
      .map { $0.key == Self.nameOfEmptyKey ? "" : $0.key }
      .filter { $0.hasPrefix(prefix) }
      .sorted()
  }

  private static let nameOfEmptyKey = "\u{1}FlaskArchive.empty"

  private static func stored(_ key: String) -> String {
    key.isEmpty ? nameOfEmptyKey : key
  }

  private func synchronize() throws {
    guard defaults.synchronize() else { throw ArchiveError.notSynchronized(location: location) }
  }
}
