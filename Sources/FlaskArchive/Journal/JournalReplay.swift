internal import FlaskEntities
import Foundation

/// The JSON of an archive, to which the records of its journal are applied.
struct JournalReplay {
  /// An array element with a unique ID. The array can thus be kept as `Entities`, which insert and remove elements in
  /// O(log n).
  private struct Piece: Identifiable {
    let id: Int
    let value: ArchiveValue
  }

  private var value: ArchiveValue
  /// The arrays that records have changed, by path. `value` still has the older array at each of these paths.
  private var arrays: [[EntitiesCollector.Step]: Entities<Piece>] = [:]
  private var lastID = 0

  /// - Throws: `ArchiveError.corrupt` if the text is no JSON.
  init(_ text: Data) throws(ArchiveError) {
    value = try ArchiveValue(text: text, maximumDepth: NestingDepth.limit)
  }

  /// The JSON with all that was performed.
  var text: Data {
    var result = value
    for (path, pieces) in arrays {
      result.replace(path[...], by: .array(pieces.map(\.value)))
    }
    return result.text
  }

  /// Applies a journal record.
  ///
  /// - Throws: `ArchiveError.corrupt` if the record does not fit. The replay must then be discarded.
  mutating func perform(_ payload: Data) throws(ArchiveError) {
    let record = try JournalRecord.content(of: payload)
    let rest: ArchiveValue? =
      if let text = record.rest { try ArchiveValue(text: text, maximumDepth: NestingDepth.limit) } else {
        nil
      }
    var after = rest == nil ? arrays : [:]
    for (path, edit, count, elements) in record.edits {
      let new = pieces(elements)
      let changed =
        if let edit { try array(at: path).changed(by: edit, new) } else { Optional(Entities(new)) }
      guard let changed, count == changed.count, (rest ?? value).find(path[...])?.array != nil else {
        throw JournalRecord.misfit
      }
      after[path] = changed
    }
    if let rest { value = rest }
    arrays = after
  }

  /// Replaces the array at a path by other elements.
  mutating func fill(_ path: [EntitiesCollector.Step], with elements: ArchiveValue) {
    value.replace(path[...], by: elements)
  }

  private mutating func pieces(_ values: [ArchiveValue]) -> [Piece] {
    values.map { value in
      lastID += 1
      return Piece(id: lastID, value: value)
    }
  }

  private mutating func array(at path: [EntitiesCollector.Step]) throws(ArchiveError) -> Entities<Piece> {
    if let pieces = arrays[path] { return pieces }
    guard let elements = value.find(path[...])?.array else { throw JournalRecord.misfit }
    return Entities(pieces(elements))
  }
}

extension ArchiveValue {
  /// Replaces the value at a path, which must exist.
  fileprivate mutating func replace(_ path: ArraySlice<EntitiesCollector.Step>, by value: ArchiveValue) {
    switch (path.first, self) {
    case (nil, _): self = value
    case (.key(let key)?, .object(var members)):
      self = .null
      members[key]?.replace(path.dropFirst(), by: value)
      self = .object(members)
    case (.index(let index)?, .array(var elements)):
      self = .null
      if elements.indices.contains(index) { elements[index].replace(path.dropFirst(), by: value) }
      self = .array(elements)
    default: return
    }
  }
}
