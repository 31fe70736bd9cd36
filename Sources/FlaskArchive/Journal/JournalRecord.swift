internal import FlaskEntities
internal import FlaskPrimitives
import Foundation

/// The content of a journal record: the changes of each `Entities`, and the rest of the state if that has changed.
///
/// The payload contains the length of the edits (4 bytes), the edits as JSON, and the rest of the state as JSON. In the
/// rest an empty array stands for each `Entities`. The rest is empty if it has not changed.
enum JournalRecord {
  /// The change of the `Entities` at one path.
  struct Edit {
    let path: [EntitiesCollector.Step]
    /// The edit that turns the earlier elements into the present elements. It is `nil` if no earlier `Entities` was
    /// known at the path; then all elements are written.
    let edit: EntitiesEdit?
    /// The number of elements after the edit.
    let count: Int
    /// The inserted elements, followed by the updated elements; all elements if there is no edit.
    let elements: any Encodable

    /// - Returns: `nil` if the elements cannot be encoded.
    init?(_ content: EntitiesContent, from edit: EntitiesEdit?, at path: [EntitiesCollector.Step]) {
      guard let elements = content.elements(at: edit.map { $0.insertedOffsets + $0.updatedOffsets }) else {
        return nil
      }
      self.path = path
      self.edit = edit
      count = content.count
      self.elements = elements
    }

    /// Appends the change as JSON text, the keys in order. It is written without an encoder, which would take longer
    /// for this object than for an element.
    fileprivate func write(to text: inout Data) throws {
      text += "{\"count\":\(count),\"elements\":".utf8
      text += try SubstanceSerializer.data(from: elements)
      if let edit {
        JournalRecord.write("inserted", edit.insertedOffsets, to: &text)
        JournalRecord.write("moved", edit.moves.flatMap { [$0.old, $0.new] }, to: &text)
      }
      text += ",\"path\":[".utf8
      for (index, step) in path.enumerated() {
        if index > 0 { text += ",".utf8 }
        switch step {
        case .key(let key):
          var name: [UInt8] = []
          JSONText.append(key, to: &name)
          text += name
        case .index(let index): text += "\(index)".utf8
        }
      }
      text += "]".utf8
      if let edit {
        JournalRecord.write("removed", edit.removedOffsets, to: &text)
        JournalRecord.write("updated", edit.updatedOffsets, to: &text)
      }
      text += "}".utf8
    }
  }

  private static func write(_ key: String, _ numbers: [Int], to text: inout Data) {
    text += ",\"\(key)\":[".utf8
    text += numbers.map(String.init).joined(separator: ",").utf8
    text += "]".utf8
  }

  /// The payload of a record.
  ///
  /// - Parameter rest: the rest of the state if it has changed; `nil` if it has not.
  /// - Throws: the error of encoding the elements.
  static func payload(_ edits: [Edit], rest: Data?) throws(ArchiveError) -> Data {
    let text = try ArchiveError.catching {
      var text = Data("[".utf8)
      for (index, edit) in edits.enumerated() {
        if index > 0 { text += ",".utf8 }
        try edit.write(to: &text)
      }
      text += "]".utf8
      return text
    }
    // The nesting depth that is checked is that of the state after the record is applied. In that state the elements
    // are at their path, while in this text they are on the third level.
    let levels = JSONText.depth(of: text)
    let depth = max(levels, levels - 2 + (edits.map(\.path.count).max() ?? 0))
    if depth > NestingDepth.limit { throw .tooDeep(limit: NestingDepth.limit) }
    var payload = Data(capacity: 4 + text.count + (rest?.count ?? 0))
    payload.append(bigEndian: UInt32(truncatingIfNeeded: text.count))
    payload.append(text)
    if let rest { payload.append(rest) }
    return payload
  }

  /// The content of a record. For each path whose elements have changed, it has the edit of the earlier `Entities`, if
  /// known. It also has the number of elements, and the inserted and updated elements, or all. The rest of the state
  /// follows if it has changed.
  typealias Content = (
    edits: [(path: [EntitiesCollector.Step], edit: EntitiesEdit?, count: Int, elements: [ArchiveValue])],
    rest: Data?
  )

  static let misfit = ArchiveError.corrupt(reason: "a record of its journal does not fit the archive")

  /// Reads a payload.
  ///
  /// - Throws: `ArchiveError.corrupt`.
  static func content(of payload: Data) throws(ArchiveError) -> Content {
    guard payload.count >= 4 else { throw .corrupt(reason: "a record of its journal has no length") }
    guard let count = Int(exactly: payload.bigEndian(UInt32.self, at: 0)), count <= payload.count - 4 else {
      throw .corrupt(reason: "a record of its journal is too short")
    }
    let text = Data(payload[4..<4 + count])
    guard let edits = try ArchiveValue(text: text, maximumDepth: NestingDepth.limit).array else {
      throw misfit
    }
    let rest = payload.count == 4 + count ? nil : Data(payload[(4 + count)...])
    return (try edits.map { value throws(ArchiveError) in try content(of: value) }, rest)
  }

  private static func content(of value: ArchiveValue) throws(ArchiveError) -> (
    path: [EntitiesCollector.Step], edit: EntitiesEdit?, count: Int, elements: [ArchiveValue]
  ) {
    let path = try list("path", of: value) { step in
      step.string.map { .key($0) } ?? step.int.map { EntitiesCollector.Step.index($0) }
    }
    guard let count = value["count"]?.int, let elements = value["elements"]?.array else { throw misfit }
    if value["inserted"] == nil { return (path, nil, count, elements) }
    let moved = try list("moved", of: value, \.int)
    guard moved.count.isMultiple(of: 2) else { throw misfit }
    var edit = EntitiesEdit()
    edit.removedOffsets = try list("removed", of: value, \.int)
    edit.moves = stride(from: 0, to: moved.count, by: 2).map { (old: moved[$0], new: moved[$0 + 1]) }
    edit.insertedOffsets = try list("inserted", of: value, \.int)
    edit.updatedOffsets = try list("updated", of: value, \.int)
    return (path, edit, count, elements)
  }

  private static func list<Element>(
    _ key: String,
    of value: ArchiveValue,
    _ element: (ArchiveValue) -> Element?
  ) throws(ArchiveError) -> [Element] {
    guard let values = value[key]?.array else { throw misfit }
    let list = values.compactMap(element)
    guard list.count == values.count else { throw misfit }
    return list
  }
}
