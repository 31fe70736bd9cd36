public import Foundation

/// Keeps archives in a folder, one file each: the default where `UserDefaults` is not durable.
///
/// `save` returns once the bytes are on the device. A process killed at any moment leaves the old archive or the new
/// one, whole, and at most one temporary file for each key, which the next start removes. Files can be read by their
/// owner only; the folder is made when it is first saved to. Keys become file names that neither leave the folder nor
/// collide.
///
/// Appended data is kept in a second file, which belongs to that very archive only. A process that is killed leaves the
/// appended data, and at most a part of the last append.
///
/// Two processes may use one folder: each archive is whole, and the last save wins. The process that came second gets a
/// warning.
///
/// Several archives of one folder are one place. Any thread may use them.
public struct FileArchive: ObservableArchiveBackend, JournalArchiveBackend {
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

  /// Stores archives in the folder `Flask` of the process's own folder among the user's data: that is `$XDG_DATA_HOME`
  /// or `~/.local/share`, and `Application Support` on Apple's systems.
  public init() {
    self.init(directory: Self.defaultDirectory)
  }

  /// The path of the folder.
  public var location: String { "folder:\(directory.path)" }

  /// Reads the bytes of a key's file, without those appended to them.
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
    try save(data, for: FileName(key))
  }

  /// Writes bytes to a key's file in exchange for others, if it has those. No other process can write in between.
  ///
  /// - Parameters:
  ///   - data: the bytes.
  ///   - key: the key.
  ///   - expected: the required content of the file, followed by its journal; `nil` if it must not exist.
  /// - Returns: whether it was so. If not, nothing is changed.
  /// - Throws: `ArchiveError.system` or `.tooLarge`. The old bytes or the new ones are there then, whole.
  public func save(_ data: Data, for key: String, replacing expected: Data?) throws -> Bool {
    try save(data, for: FileName(key), expecting: .some(expected))
  }

  /// Calls `onChange` after each change of a key's file or its journal, whichever process made it: by the file events
  /// of the system.
  ///
  /// If the folder does not exist yet, or is removed and recreated, the observation waits for it.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - onChange: the closure to call, on a queue of the observation.
  /// - Returns: the observation.
  /// - Throws: `ArchiveError.system` if the system has no events for it: too many are observed, say.
  public func observe(
    _ key: String,
    onChange: @escaping @Sendable (ArchiveError?) -> Void
  ) throws -> ArchiveObservation {
    let name = FileName(key)
    let observation = FileObservation(of: [name.data, name.journal], in: directory.path, onChange: onChange)
    try observation.begin()
    return ArchiveObservation { observation.end() }
  }

  @discardableResult
  private func save(_ data: Data, for name: FileName, expecting expected: Data?? = nil) throws -> Bool {
    if let longKey = name.longKey {
      let bytes = Data(name.key.utf8)
      if try folder.contents(of: longKey) != bytes {
        try folder.replace(longKey, by: bytes, through: name.temporary)
      }
    }
    return try folder.replace(
      name.data,
      by: data,
      through: name.temporary,
      endingJournal: name.journal,
      expecting: expected
    )
  }

  /// Reads the bytes of a key's file, and those appended to them.
  ///
  /// - Parameter key: the key.
  /// - Returns: the two, or `nil` if there is no file.
  /// - Throws: `ArchiveError.system`, `.tooLarge` or `.notAFile`.
  public func loadWithJournal(_ key: String) throws -> (archive: Data, journal: Data)? {
    let name = FileName(key)
    return try folder.contents(of: name.data, journal: name.journal)
  }

  /// Reads the bytes appended to a key's file behind those that the caller knows, and no others.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - beginning: the expected first bytes of the file.
  ///   - length: how many bytes of the journal the caller knows.
  /// - Returns: the bytes behind them; `nil` if another archive is kept, or the journal is shorter.
  /// - Throws: `ArchiveError.system`.
  public func journal(of key: String, beginning: Data, from length: Int) throws -> Data? {
    try folder.journal(of: FileName(key), beginning: beginning, from: length)
  }

  /// Appends bytes to the journal of a key's file, if both are those that the caller knows, and returns once they are
  /// durable. No other process comes between.
  ///
  /// - Parameters:
  ///   - data: the bytes.
  ///   - key: the key.
  ///   - beginning: the expected first bytes of the file.
  ///   - length: how many bytes the journal must have.
  /// - Returns: whether it was so. If not, nothing is changed.
  /// - Throws: `ArchiveError.system` or `.tooLarge`. None, some or all of the bytes may be there then.
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

  /// Says, once, that another process uses the folder.
  ///
  /// - Returns: `ArchiveError.sharedWithAnotherProcess`, or `nil`.
  public func takeWarning() -> ArchiveError? {
    folder.takeWarning() ? .sharedWithAnotherProcess(location: directory.path) : nil
  }
}
