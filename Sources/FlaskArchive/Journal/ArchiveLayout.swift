import Foundation

/// How states are arranged in an archive, and their changes in its journal.
enum ArchiveLayout: Sendable {
  /// One state with its key: the whole archive belongs to the state, and each record contains changes of this state.
  case alone(key: String)
  /// Several states in a group with a name.
  case group(name: String)

  func wrap(_ parts: [String: Data]) -> Data {
    switch self {
    case .alone(let key): parts[key] ?? Data()
    case .group(let name): GroupFormat.wrap(parts, name: name)
    }
  }

  /// Splits an archive into its parts.
  ///
  /// - Throws: `ArchiveError.corrupt` if the positions of the parts cannot be determined.
  func file(_ archive: Data) throws(ArchiveError) -> ArchiveFile {
    switch self {
    case .alone(let key): return ArchiveFile(archive, [key: PartContent(archive)], self)
    case .group(let name):
      let parts = try GroupFormat.unwrap(archive, name: name)
      return ArchiveFile(archive, parts.mapValues { PartContent($0) }, self)
    }
  }

  /// The payload of a record; `nil` if the changes cannot be written as a record. A record of a group has the format of
  /// a group. The sign before the key of a part is the kind of change, and the content of the part is the bytes of the
  /// change.
  func payload(_ changes: [(key: String, change: PartChange)]) -> Data? {
    guard case .alone = self else {
      let parts = changes.map { key, change in (String(change.record.sign) + key, change.record.bytes) }
      return GroupFormat.wrap(Dictionary(parts) { $1 }, name: "")
    }
    return if case .edits(let record)? = changes.first?.change { record } else { nil }
  }

  /// Reads the changes from the payload of a record.
  ///
  /// - Throws: `ArchiveError.corrupt`.
  func changes(of payload: Data) throws(ArchiveError) -> [(key: String, change: PartChange)] {
    if case .alone(let key) = self { return [(key, .edits(payload))] }
    return try GroupFormat.unwrap(payload, name: "").inOrderOfScalars.map { part throws(ArchiveError) in
      // The sign is split off as a Unicode scalar: a key may begin with a combining accent, which forms one `Character`
      // with the sign.
      let scalars = part.key.unicodeScalars
      let all = [PartChange.removed, .whole(part.value), .edits(part.value)]
      guard let change = all.first(where: { $0.record.sign == scalars.first }) else {
        throw JournalRecord.misfit
      }
      return (String(scalars.dropFirst()), change)
    }
  }
}

/// The change of a part between two saves.
enum PartChange: Equatable {
  case removed
  /// It is this archive.
  case whole(Data)
  /// The part was changed by these bytes: the payload of a record, as in the journal of a separate archive.
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
  /// - Returns: the changes in the order of the keys, removals last; `nil` if the whole archive must be saved.
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
