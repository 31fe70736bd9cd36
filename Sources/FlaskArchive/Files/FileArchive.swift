public import Foundation

/// Keeps archives in a folder, one file each: the default where `UserDefaults` is not durable.
///
/// `save` returns once the bytes are on the device. A process killed at any moment leaves the old archive or the new
/// one, whole, and at most one temporary file for each key, which the next start removes. Files can be read by their
/// owner only; the folder is made when it is first saved to. Keys become file names that neither leave the folder nor
/// collide.
///
/// Two processes may use one folder: each archive is whole, and what was saved last is kept. The process that came
/// second is told by a warning.
///
/// Several archives of one folder are one place. Any thread may use them.
public struct FileArchive: ArchiveBackend {
  private let folder: ArchiveFolder

  /// The folder.
  public let directory: URL

  /// Keeps archives in a folder. Nothing is read or written yet.
  ///
  /// - Parameters:
  ///   - directory: the folder. It, and those above it, are made when needed.
  ///   - maximumBytes: how large an archive may be, to be saved or read; 64 MB if not said otherwise.
  public init(directory: URL, maximumBytes: Int = 64 << 20) {
    self.directory = directory.absoluteURL.standardizedFileURL.resolvingSymlinksInPath()
    folder = ArchiveFolder(path: self.directory.path, maximumBytes: maximumBytes)
  }

  /// Keeps archives in the folder `Flask` of the process's own folder among the user's data: that is
  /// `$XDG_DATA_HOME` or `~/.local/share`, and `Application Support` on Apple's systems.
  public init() {
    self.init(directory: Self.defaultDirectory)
  }

  /// The path of the folder.
  public var location: String { "folder:\(directory.path)" }

  /// Reads the bytes of a key's file.
  ///
  /// - Parameter key: the key.
  /// - Returns: the bytes, or `nil` if there is no file.
  /// - Throws: `ArchiveError.system`, `.tooLarge` or `.notAFile`.
  public func load(_ key: String) throws -> Data? {
    try folder.contents(of: FileName(key).data)
  }

  /// Puts bytes in the place of a key's file, and returns once they are durable.
  ///
  /// - Parameters:
  ///   - data: the bytes.
  ///   - key: the key.
  /// - Throws: `ArchiveError.system` or `.tooLarge`. The old bytes or the new ones are there then, whole.
  public func save(_ data: Data, for key: String) throws {
    let name = FileName(key)
    if let longKey = name.longKey {
      let bytes = Data(name.key.utf8)
      if try folder.contents(of: longKey) != bytes {
        try folder.replace(longKey, by: bytes, through: name.temporary)
      }
    }
    try folder.replace(name.data, by: data, through: name.temporary)
  }

  /// Removes a key's file, and returns once that is durable.
  ///
  /// - Parameter key: the key.
  /// - Throws: `ArchiveError.system`.
  public func remove(_ key: String) throws {
    let name = FileName(key)
    try folder.remove([name.data, name.temporary] + (name.longKey.map { [$0] } ?? []))
  }

  /// Lists the keys that have a file and begin with a prefix.
  ///
  /// - Parameter prefix: what the keys begin with.
  /// - Returns: the keys, sorted.
  /// - Throws: what reading the folder throws.
  /// - Complexity: O(*n* log *n*) in the number of files.
  public func keys(withPrefix prefix: String) throws -> [String] {
    try folder.names()
      .compactMap { name in FileName.key(of: name) { try? folder.contents(of: $0) } }
      .filter { $0.hasPrefix(prefix) }
      .sorted()
  }

  /// Says, once, that another process uses the folder.
  ///
  /// - Returns: `ArchiveError.sharedWithAnotherProcess`, or `nil`.
  public func takeWarning() -> ArchiveError? {
    folder.takeWarning() ? .sharedWithAnotherProcess(location: directory.path) : nil
  }
}
