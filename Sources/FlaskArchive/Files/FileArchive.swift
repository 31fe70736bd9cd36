public import Foundation

/// Keeps each archive in a file of a folder: the default on systems where `UserDefaults` is not durable.
///
/// `save` returns once the bytes are on the device. A process killed at any moment leaves the old archive or the new
/// archive, whole. It also leaves at most one temporary file for each key, which the next start removes. Files can be
/// read by their owner only; the folder is made at the first save. Keys become file names that neither leave the folder
/// nor collide.
///
/// Appended data is kept in a second file, the journal of this one archive. A process that is killed during an append
/// leaves all earlier appended data, and at most a part of the last append.
///
/// Two processes may use one folder: each archive is whole, and the last save wins. The process that used the folder
/// second gets a warning.
///
/// All `FileArchive`s of one folder share their keys. Any thread may use them.
public struct FileArchive: JournalArchiveBackend {
  private let folder: ArchiveFolder

  /// The folder.
  public let directory: URL

  /// Keeps archives in a folder. Nothing is read or written yet.
  ///
  /// - Parameters:
  ///   - directory: the folder. It is made when needed, with its parent folders.
  ///   - maximumBytes: the limit for an archive, both saved and read; 64 MB by default.
  public init(directory: URL, maximumBytes: Int = 64 << 20) {
    self.directory = directory.absoluteURL.standardizedFileURL.resolvingSymlinksInPath()
    folder = ArchiveFolder(path: self.directory.path, maximumBytes: maximumBytes)
  }

  /// Stores archives in the folder `Flask` of the process's own folder among the user's data: that is `$XDG_DATA_HOME`
  /// or `~/.local/share`, and `Application Support` on Apple's systems.
  public init() {
    self.init(directory: Self.defaultDirectory)
  }

  /// The path of the folder.
  public var location: String { "folder:\(directory.path)" }

  /// Reads the bytes of a key's file, without its journal.
  ///
  /// - Parameter key: the key.
  /// - Returns: the bytes, or `nil` if the key has no file.
  /// - Throws: `ArchiveError.system`, `.tooLarge` or `.notAFile`.
  public func load(_ key: String) throws -> Data? {
    try folder.contents(of: FileName(key).data)
  }

  /// Replaces the content of a key's file, and returns once the bytes are durable.
  ///
  /// - Parameters:
  ///   - data: the bytes.
  ///   - key: the key.
  /// - Throws: `ArchiveError.system` or `.tooLarge`. The file then has its old content or the new content, whole.
  public func save(_ data: Data, for key: String) throws {
    let name = FileName(key)
    if let longKey = name.longKey {
      let bytes = Data(name.key.utf8)
      if try folder.contents(of: longKey) != bytes {
        try folder.replace(longKey, by: bytes, through: name.temporary)
      }
    }
    try folder.replace(name.data, by: data, through: name.temporary, endingJournal: name.journal)
  }

  /// Reads the bytes of a key's file and the bytes of its journal.
  ///
  /// - Parameter key: the key.
  /// - Returns: archive and journal, or `nil` if the key has no file.
  /// - Throws: `ArchiveError.system`, `.tooLarge` or `.notAFile`.
  public func loadWithJournal(_ key: String) throws -> (archive: Data, journal: Data)? {
    let name = FileName(key)
    return try folder.contents(of: name.data, journal: name.journal)
  }

  /// Appends bytes to the journal of a key's file, if file and journal are as the caller knows them. Returns once the
  /// bytes are durable. No other process can write between the check and the append.
  ///
  /// - Parameters:
  ///   - data: the bytes.
  ///   - key: the key.
  ///   - beginning: the expected first bytes of the file.
  ///   - length: how many bytes the journal must have.
  /// - Returns: whether file and journal were as the caller knows them. If not, nothing is changed.
  /// - Throws: `ArchiveError.system` or `.tooLarge`. Then none, some or all of the bytes may have been appended.
  public func append(_ data: Data, toJournalOf key: String, beginning: Data, length: Int) throws -> Bool {
    try folder.append(data, toJournalOf: FileName(key), beginning: beginning, length: length)
  }

  /// Removes a key's file, and returns once that is durable.
  ///
  /// - Parameter key: the key.
  /// - Throws: `ArchiveError.system`.
  public func remove(_ key: String) throws {
    let name = FileName(key)
    try folder.remove([name.data, name.journal, name.temporary] + (name.longKey.map { [$0] } ?? []))
  }

  /// Lists the keys that have a file and begin with a prefix.
  ///
  /// - Parameter prefix: the prefix of the keys.
  /// - Returns: the keys, sorted.
  /// - Throws: what reading the folder throws.
  /// - Complexity: O(*n* log *n*) in the number of files.
  public func keys(withPrefix prefix: String) throws -> [String] {
    try folder.names()
      .compactMap { name in FileName.key(of: name) { try? folder.contents(of: $0) } }
      .filter { $0.hasPrefix(prefix) }
      .sorted()
  }

  /// Returns, once, the warning that another process uses the folder.
  ///
  /// - Returns: `ArchiveError.sharedWithAnotherProcess`, or `nil`.
  public func takeWarning() -> ArchiveError? {
    folder.takeWarning() ? .sharedWithAnotherProcess(location: directory.path) : nil
  }
}
