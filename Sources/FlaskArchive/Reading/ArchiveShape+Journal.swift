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
    if var basis, let payload = outline.changes(from: basis.rest, basis.contents) {
      if payload.isEmpty { return .append(Data(), basis) }
      if let record = basis.end.record(payload) {
        (basis.rest, basis.contents) = (outline.text, outline.contents)
        return .append(record, basis)
      }
    }
    let archive = try encode(state, for: key)
    let contents = outline.isSound ? outline.contents : [:]
    return .whole(archive, JournalBasis(JournalEnd(of: archive), contents, rest: outline.text))
  }

  /// The state that an outline of this version is one of.
  ///
  /// - Returns: `nil` if its decoder does not come across all entities where the encoder came across them.
  /// - Complexity: O(*m*) in the size of the text.
  func state(of outline: StateOutline) throws(ArchiveError) -> State? {
    let collector = EntitiesCollector(supplying: outline.contents)
    let state = try LargeStackThread.perform(on: [outline.text]) {
      try SubstanceSerializer.decodeUnguarded(State.self, from: outline.text, collector: collector)
    }
    return collector.isTaken ? state : nil
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
      var end = JournalEnd(of: data)
      (end.length, end.checksum) = (contents.length, contents.checksum)
      basis = JournalBasis(end, repair.collector.found)
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
