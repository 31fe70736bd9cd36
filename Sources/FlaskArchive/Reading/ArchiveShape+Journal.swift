internal import FlaskPrimitives
internal import FlaskEntities
import Foundation

// Archives with journals.
extension ArchiveShape {
  /// What a save of a state has to do.
  ///
  /// - Parameter basis: What the archive has; `nil` if that is not known, or another archive is to be written.
  /// - Throws: `ArchiveError.tooDeep` or `.notEncodable`.
  /// - Complexity: O(changes · log n) in the elements of the entities, and O(*m*) in the size of all else; O(n) if the
  ///   whole is to be saved.
  func step(_ state: State, for key: String, after basis: JournalBasis?) throws(ArchiveError) -> JournalStep {
    let outline = try ArchiveError.catching { try SubstanceSerializer.outline(of: state) }
    guard let outline else { return .whole(try encode(state, for: key), nil) }
    // Without entities the outline is the whole text.
    if outline.contents.isEmpty { return .whole(wrap(outline.text, for: key), nil) }
    if let basis, let step = Self.step(outline, after: basis) { return step }
    let archive = try encode(state, for: key)
    let contents = outline.isSound ? outline.contents : [:]
    return .whole(archive, JournalBasis(of: archive, contents, rest: outline.text))
  }

  /// - Returns: `nil` if the whole is to be saved.
  private static func step(_ outline: StateOutline, after basis: JournalBasis) -> JournalStep? {
    let (rest, contents) = (outline.text, outline.contents)
    let isRestKnown = rest == basis.rest && contents.count == basis.contents.count
    guard isRestKnown || outline.isSound else { return nil }
    var edits: [JournalRecord.Edit] = []
    var (changes, count) = (0, 0)
    for (path, content) in contents {
      let edit = basis.contents[path].flatMap { content.edit(from: $0) }
      if let edit, edit.isEmpty, isRestKnown { continue }
      changes += edit.map { $0.insertedOffsets.count + $0.updatedOffsets.count } ?? content.count
      count += content.count
      guard let edit = JournalRecord.Edit(content, from: edit, at: path) else { return nil }
      edits.append(edit)
    }
    if edits.isEmpty, isRestKnown { return .append(Data(), basis) }
    // A record of most of the elements would be as large as the archive.
    if changes > 64, changes > count / 2 { return nil }
    var next = basis
    // A value that cannot be encoded fails the save of the whole, too, whose error has the path from the state.
    guard let payload = try? JournalRecord.payload(edits, rest: isRestKnown ? nil : rest),
      let record = JournalFormat.record(payload, after: &next.checksum),
      basis.length + record.count <= basis.archiveCount
    else { return nil }
    next.length += record.count
    next.rest = rest
    next.contents = contents
    return .append(record, next)
  }

  /// The state of an archive with its journal, which is gone through up to the first record that is damaged.
  ///
  /// - Returns: the state, whether the archive is what `encode` would make of it, what is known of both if the next
  ///   save may append to them, and what the matter with the journal is.
  /// - Throws: `ArchiveError` that says why the archive cannot be used.
  func decode(_ data: Data, journal: Data, for key: String) throws(ArchiveError) -> Journaled {
    let (found, payload) = try unwrap(data, for: key)
    let contents = JournalFormat.unwrap(journal, after: JournalFormat.checksum(ofArchive: data))
    var damage: ArchiveError? = contents.isDamaged ? .corrupt(reason: "its journal is damaged") : nil
    let text =
      contents.payloads.isEmpty ? payload : try replay(contents.payloads, on: payload, damage: &damage)
    let (state, isCurrent, repair) = try decode(text, found)
    var basis: JournalBasis?
    if isCurrent, !contents.hasRest, damage == nil, !repair.collector.isAmbiguous {
      basis = JournalBasis(of: data, repair.collector.found)
      basis?.length = contents.length
      basis?.checksum = contents.checksum
    }
    return (state, isCurrent && journal.isEmpty, basis, damage)
  }

  /// What came of reading an archive with its journal.
  typealias Journaled = (state: State, isCurrent: Bool, basis: JournalBasis?, damage: ArchiveError?)

  private func replay(
    _ records: [Data],
    on payload: Data,
    damage: inout ArchiveError?
  ) throws(ArchiveError) -> Data {
    let (text, error) = try LargeStackThread.perform(on: [payload] + records, limit: .max) {
      () -> (Data, ArchiveError?) in
      var replay = try JournalReplay(payload)
      for record in records {
        // The copy shares what is not changed, and is given up if the record does not fit.
        var next = replay
        do throws(ArchiveError) {
          try next.perform(record)
        } catch {
          return (replay.text, error)
        }
        replay = next
      }
      return (replay.text, nil)
    }
    damage = error ?? damage
    return text
  }
}
