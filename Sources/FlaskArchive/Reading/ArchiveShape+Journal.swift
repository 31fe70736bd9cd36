internal import FlaskPrimitives
internal import FlaskEntities
import Foundation

// Archives with journals.
extension ArchiveShape {
  /// Encodes a state, with its entities kept separately. The entities stay in the text if their paths are ambiguous, or
  /// if the text has no empty array at a path.
  ///
  /// - Parameter known: the encoded content of an earlier state.
  /// - Throws: `ArchiveError.tooDeep` or `.notEncodable`.
  /// - Complexity: O(*m*) in the size of all but the elements of the entities.
  func content(of state: State, for key: String, after known: PartContent?) throws(ArchiveError)
    -> PartContent
  {
    let outline = try ArchiveError.catching { try StateOutline(of: state) }
    guard let outline else { return PartContent(try encode(state, for: key)) }
    let content = PartContent(wrap(outline.text, for: key), outline.contents)
    let isKnown = content.archive == known?.archive && content.contents.keys == known?.contents.keys
    return try isKnown || outline.isSound ? content : PartContent(encode(state, for: key))
  }

  /// Decodes the state of an archive with its journal. The journal is read up to its first damaged record.
  ///
  /// - Returns: the state; the content of archive and journal, if it equals our own encoding; and the damage of the
  ///   journal.
  /// - Throws: `ArchiveError` that says why the archive cannot be used.
  func decode(_ archive: Data, journal: Data, for key: String) throws(ArchiveError) -> (
    state: State, file: ArchiveFile?, damage: ArchiveError?
  ) {
    var file = try ArchiveLayout.alone(key: key).file(archive)
    var damage = file.perform(journal)
    // The archive is checked before the records are applied, so that damage of the archive itself is reported.
    var (version, payload) = try unwrap(archive, for: key)
    if let whole = try file.parts[key]?.mended() {
      damage = whole.damage ?? damage
      (version, payload) = try unwrap(whole.archive, for: key)
    }
    let (state, isCurrent, repair) = try decode(payload, version)
    guard isCurrent, damage == nil, !file.isTorn, !repair.collector.isAmbiguous else {
      return (state, nil, damage)
    }
    if !repair.collector.found.isEmpty {
      guard let content = content(ofRead: state, repair, for: key) else { return (state, nil, nil) }
      file.parts[key] = content
    }
    return (state, file, nil)
  }

  /// The content of a state that was read, with its entities kept separately; `nil` if that is impossible.
  func content(ofRead state: State, _ repair: ArchiveRepair, for key: String) -> PartContent? {
    let found = repair.collector.found
    // The entities found in the text are used, since the state may have changed their order. An encoding error is
    // ignored here: the next save reports it.
    guard !found.isEmpty, !repair.collector.isAmbiguous,
      let content = try? content(of: state, for: key, after: nil), content.contents.keys == found.keys
    else { return nil }
    return PartContent(content.archive, found)
  }
}
