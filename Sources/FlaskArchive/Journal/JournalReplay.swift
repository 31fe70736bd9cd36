internal import FlaskEntities
import Foundation

/// The JSON of an archive on which the records of its journal are performed.
struct JournalReplay {
  /// An element of an array, with a number of its own, so that elements are inserted and removed in O(log n).
  private struct Piece: Identifiable {
    let id: Int
    let value: ArchiveValue
  }

  private var value: ArchiveValue
  /// The arrays that records were performed on; in `value` something older stands in their places.
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

  /// Performs a record.
  ///
  /// - Throws: `ArchiveError.corrupt` if the record does not fit. What was performed of it is undefined then.
  mutating func perform(_ payload: Data) throws(ArchiveError) {
    let texts = try JournalRecord.texts(of: payload)
    guard let edits = try ArchiveValue(text: texts.edits, maximumDepth: NestingDepth.limit).array else {
      throw Self.misfit
    }
    let rest: ArchiveValue? =
      if let text = texts.rest { try ArchiveValue(text: text, maximumDepth: NestingDepth.limit) } else { nil }
    var after = rest == nil ? arrays : [:]
    for edit in edits {
      let path = try Self.path(of: edit)
      var pieces: Entities<Piece> = []
      if edit["inserted"] != nil {
        pieces = try takeArray(at: path)
        // The copy that is changed is the only one.
        after[path] = nil
        arrays[path] = nil
        try perform(edit, on: &pieces)
      } else {
        for element in edit["elements"]?.array ?? [] { pieces.append(makePiece(element)) }
      }
      guard edit["count"]?.int == pieces.count else { throw Self.misfit }
      guard (rest ?? value).find(path[...])?.array != nil else { throw Self.misfit }
      after[path] = pieces
    }
    if let rest { value = rest }
    arrays = after
  }

  private static let misfit = ArchiveError.corrupt(reason: "a record of its journal does not fit the archive")

  private mutating func makePiece(_ value: ArchiveValue) -> Piece {
    lastID += 1
    return Piece(id: lastID, value: value)
  }

  private mutating func takeArray(at path: [EntitiesCollector.Step]) throws(ArchiveError) -> Entities<Piece> {
    if let pieces = arrays[path] { return pieces }
    guard let elements = value.find(path[...])?.array else { throw Self.misfit }
    var pieces: Entities<Piece> = []
    for element in elements { pieces.append(makePiece(element)) }
    return pieces
  }

  private mutating func perform(_ edit: ArchiveValue, on pieces: inout Entities<Piece>) throws(ArchiveError) {
    let moved = try Self.offsets("moved", of: edit)
    guard let elements = edit["elements"]?.array, moved.count.isMultiple(of: 2) else { throw Self.misfit }
    var change = EntitiesEdit()
    change.removedOffsets = try Self.offsets("removed", of: edit)
    change.moves = stride(from: 0, to: moved.count, by: 2).map { (old: moved[$0], new: moved[$0 + 1]) }
    change.insertedOffsets = try Self.offsets("inserted", of: edit)
    change.updatedOffsets = try Self.offsets("updated", of: edit)
    guard let changed = pieces.changed(by: change, elements.map { makePiece($0) }) else { throw Self.misfit }
    pieces = changed
  }

  private static func offsets(_ key: String, of edit: ArchiveValue) throws(ArchiveError) -> [Int] {
    guard let values = edit[key]?.array else { throw misfit }
    let offsets = values.compactMap(\.int)
    guard offsets.count == values.count else { throw misfit }
    return offsets
  }

  private static func path(of edit: ArchiveValue) throws(ArchiveError) -> [EntitiesCollector.Step] {
    guard let steps = edit["path"]?.array else { throw misfit }
    let path = steps.compactMap { step -> EntitiesCollector.Step? in
      if let key = step.string { return .key(key) }
      return step.int.map { .index($0) }
    }
    guard path.count == steps.count else { throw misfit }
    return path
  }
}

extension ArchiveValue {
  /// What stands at a path; `nil` if nothing does.
  func find(_ path: ArraySlice<EntitiesCollector.Step>) -> ArchiveValue? {
    switch (path.first, self) {
    case (nil, _): return self
    case (.key(let key)?, .object(let members)): return members[key]?.find(path.dropFirst())
    case (.index(let index)?, .array(let elements)):
      return elements.indices.contains(index) ? elements[index].find(path.dropFirst()) : nil
    default: return nil
    }
  }

  /// Puts another value in the place of the one at a path, which must be there.
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
