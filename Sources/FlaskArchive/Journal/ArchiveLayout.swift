import Foundation

/// How states stand in an archive, and their changes in its journal.
enum ArchiveLayout: Sendable {
  /// One state with its key: the archive is its own, and each record has the changes of it.
  case alone(key: String)
  /// A group with its name.
  case group(name: String)

  func wrap(_ parts: [String: Data]) -> Data {
    switch self {
    case .alone(let key): parts[key] ?? Data()
    case .group(let name): GroupFormat.wrap(parts, name: name)
    }
  }

  /// The parts of an archive.
  ///
  /// - Throws: `ArchiveError.corrupt` if it cannot be said where they are.
  func file(_ archive: Data) throws(ArchiveError) -> ArchiveFile {
    switch self {
    case .alone(let key): return ArchiveFile(archive, [key: PartContent(archive)], self)
    case .group(let name):
      let parts = try GroupFormat.unwrap(archive, name: name)
      return ArchiveFile(archive, parts.mapValues { PartContent($0) }, self)
    }
  }

  /// The payload of a record; `nil` if there can be none. A record of a group is a group itself: the flags before the
  /// keys of its parts describe the kind of change, and the contents are the bytes of that.
  func payload(_ changes: [(key: String, change: PartChange)]) -> Data? {
    guard case .alone = self else {
      let parts = changes.map { key, change in (String(change.record.sign) + key, change.record.bytes) }
      return GroupFormat.wrap(Dictionary(parts) { $1 }, name: "")
    }
    return if case .edits(let record)? = changes.first?.change { record } else { nil }
  }

  /// The changes that the payload of a record says.
  ///
  /// - Throws: `ArchiveError.corrupt`.
  func changes(of payload: Data) throws(ArchiveError) -> [(key: String, change: PartChange)] {
    if case .alone(let key) = self { return [(key, .edits(payload))] }
    return try GroupFormat.unwrap(payload, name: "").inOrderOfScalars.map { part throws(ArchiveError) in
      // Split by Unicode scalars, not characters: if the key begins with a combining accent, the accent and the
      // separator before it are one `Character`.
      let scalars = part.key.unicodeScalars
      let all = [PartChange.removed, .whole(part.value), .edits(part.value)]
      guard let change = all.first(where: { $0.record.sign == scalars.first }) else {
        throw JournalRecord.misfit
      }
      return (String(scalars.dropFirst()), change)
    }
  }
}

/// A change of a part from one save to the next.
enum PartChange: Equatable {
  case removed
  /// It is this archive.
  case whole(Data)
  /// It has changed as the payload of a record of its own journal says.
  case edits(Data)

  fileprivate var record: (sign: Unicode.Scalar, bytes: Data) {
    switch self {
    case .removed: ("-", Data())
    case .whole(let archive): ("=", archive)
    case .edits(let payload): ("+", payload)
    }
  }

  /// The changes of all parts.
  ///
  /// - Returns: `nil` if the whole must be saved.
  static func changes(
    from old: [String: PartContent],
    to new: [String: PartContent]
  ) -> [(key: String, change: PartChange)]? {
    var changes: [(key: String, change: PartChange)] = []
    for (key, part) in new.inOrderOfScalars {
      if let edits = old[key].flatMap({ part.edits(from: $0) }) {
        if !edits.isEmpty { changes.append((key, .edits(edits))) }
      } else if part.contents.isEmpty, part.records.isEmpty {
        changes.append((key, .whole(part.archive)))
      } else {
        return nil
      }
    }
    return changes + old.keys.filter { new[$0] == nil }.sorted().map { ($0, .removed) }
  }
}
