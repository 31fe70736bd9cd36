internal import FlaskEntities
import Foundation

/// The content of a group's part, as the archive has it or as the next save will write it.
///
/// For a member of this process the entities are kept apart from the encoded state. A small change of a large state is
/// therefore cheap. A part that was read, and has no member yet, keeps the records of its journal.
struct PartContent: Equatable, Sendable {
  /// The header and the JSON text, as in a separate archive of this state.
  let archive: Data
  /// The entities by their path. In `archive` an empty array stands at each path.
  var contents: StateOutline.Contents = [:]
  /// The journal's records that are yet to be applied to the text, in order.
  var records: [Data] = []

  /// A content from a whole archive, or from an archive without its entities and the entities.
  init(_ archive: Data, _ contents: StateOutline.Contents = [:]) {
    self.archive = archive
    self.contents = contents
  }

  /// Whether both contents make the same archive.
  ///
  /// - Complexity: O(changes) if the entities of one content were made from those of the other.
  static func == (a: PartContent, b: PartContent) -> Bool {
    a.archive == b.archive && a.records == b.records && a.contents.count == b.contents.count
      && a.contents.allSatisfy { path, content in b.contents[path].map { content.isEqual(to: $0) } ?? false }
  }

  /// Makes the whole archive: inserts the entities, and applies the records before the first record that does not fit.
  /// A damaged archive is returned unchanged.
  ///
  /// - Returns: the archive, and the damage of the records.
  /// - Throws: why an element cannot be encoded.
  /// - Complexity: O(*n*) in the size of the archive.
  func mended() throws(ArchiveError) -> (archive: Data, damage: ArchiveError?) {
    guard !contents.isEmpty || !records.isEmpty, let (header, text) = try? ArchiveFormat.unwrap(archive)
    else {
      return (archive, nil)
    }
    let (whole, damage) = try ArchiveError.catching {
      try LargeStackThread.perform { () -> (Data, ArchiveError?) in
        var replay = try JournalReplay(text)
        for (path, content) in contents { replay.fill(path, with: try content.value()) }
        for record in records {
          // The record is applied to a copy, which is discarded if the record does not fit. The copy shares unchanged
          // values.
          var next = replay
          do throws(ArchiveError) { try next.perform(record) } catch { return (replay.text, error) }
          replay = next
        }
        return (replay.text, nil)
      }
    }
    return (ArchiveFormat.wrap(whole, as: header), damage)
  }

  /// The archive with its entities and with the records before the first record that does not fit.
  func whole() throws(ArchiveError) -> Data { try mended().archive }

  /// The changes since an earlier content of the part, as the payload of a record.
  ///
  /// - Returns: the payload of a record; empty data if nothing has changed; `nil` if the whole archive must be saved.
  func edits(from old: PartContent) -> Data? {
    let isSame = archive == old.archive
    if isSame, records == old.records, contents.isEmpty, old.contents.isEmpty { return Data() }
    guard !contents.isEmpty, old.records.isEmpty else { return nil }
    if isSame, contents.keys == old.contents.keys {
      // The rest of the state has not changed, so its text is not needed.
      return StateOutline(text: Data(), contents: contents).changes(from: Data(), old.contents)
    }
    guard let (header, text) = try? ArchiveFormat.unwrap(archive),
      let (oldHeader, oldText) = try? ArchiveFormat.unwrap(old.archive), header == oldHeader
    else { return nil }
    return StateOutline(text: text, contents: contents).changes(from: oldText, old.contents)
  }
}

extension EntitiesContent {
  /// Returns true if both contents have equally encoded elements in the same order.
  fileprivate func isEqual(to other: EntitiesContent) -> Bool {
    guard var edit = edit(from: other) else { return false }
    let updated = edit.updatedOffsets
    edit.updatedOffsets = []
    guard edit.isEmpty else { return false }
    if updated.isEmpty { return true }
    guard let own = try? value(at: updated) else { return false }
    return own == (try? other.value(at: updated))
  }

  /// The elements at some offsets, or all, as an array.
  ///
  /// - Throws: why they cannot be encoded.
  fileprivate func value(at offsets: [Int]? = nil) throws -> ArchiveValue {
    guard let elements = elements(at: offsets) else { return .null }
    return try ArchiveValue(text: SubstanceSerializer.data(from: elements), maximumDepth: NestingDepth.limit)
  }
}
