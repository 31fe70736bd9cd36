internal import FlaskEntities
import Foundation

extension StateOutline {
  /// The changes since the known content of a state, as the payload of a journal record.
  ///
  /// - Parameters:
  ///   - rest: the outline of the known state; `nil` if the outline is not known.
  ///   - known: the entities of the known state.
  /// - Returns: the payload; empty data if nothing has changed; `nil` if the whole archive must be saved.
  /// - Complexity: O(changes · log *n*) in the elements of the entities, and O(*m*) in the size of the text.
  func changes(from rest: Data?, _ known: Contents) -> Data? {
    let isRestKnown = text == rest && contents.keys == known.keys
    guard isRestKnown || isSound else { return nil }
    var edits: [JournalRecord.Edit] = []
    var changes = 0
    var count = 0
    for (path, content) in contents {
      let edit = known[path].flatMap { content.edit(from: $0) }
      if let edit, edit.isEmpty, isRestKnown { continue }
      changes += edit.map { $0.insertedOffsets.count + $0.updatedOffsets.count } ?? content.count
      count += content.count
      guard let edit = JournalRecord.Edit(content, from: edit, at: path) else { return nil }
      edits.append(edit)
    }
    if edits.isEmpty, isRestKnown { return Data() }
    // The whole archive is saved if most elements have changed, since the record would be as large as the archive.
    if changes > 64, changes > count / 2 { return nil }
    // An encoding error is ignored here: the save of the whole archive then fails too, and its error has the path from
    // the state.
    return try? JournalRecord.payload(edits, rest: isRestKnown ? nil : text)
  }
}
