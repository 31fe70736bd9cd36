internal import FlaskEntities
internal import FlaskMerging
internal import FlaskPrimitives
internal import Foundation

/// How a program turns rows into values and back: its version, and its migration.
struct RowCoding: Sendable {
  /// The version of this program.
  let version: Int
  /// Changes the body of a row of one version into one of the next.
  let migrate: @Sendable (_ key: RecordKey, _ version: Int, _ body: inout ArchiveValue) throws -> Void
  let merges: MergeClosures

  /// The text of a value.
  static func text(of value: some Encodable) throws(ArchiveError) -> Data {
    try ArchiveError.catching { try SubstanceSerializer.data(from: value) }
  }

  /// The text of a row in the shape of this version.
  ///
  /// - Throws: that of the migration, as `ArchiveError.doesNotFit`.
  func migrated(_ record: SharedRecord) throws(ArchiveError) -> Data {
    let text = Data(record.body.utf8)
    if record.version >= version { return text }
    var repair = ArchiveRepair(text)
    try LargeStackThread.perform(on: [text]) {
      try repair.migrate(record.version..<version) { try migrate(record.key, $0, &$1) }
    }
    return repair.text
  }

  /// The value of a row. A property that its text lacks takes the value that `initial`, or `init()` of its type, has.
  ///
  /// - Throws: why the row can't be used.
  func decode<Value: Codable>(_ type: Value.Type, _ text: Data, initial: Value? = nil) throws(ArchiveError)
    -> Value
  {
    try LargeStackThread.perform(on: [text]) {
      var repair = ArchiveRepair(text)
      return try repair.decode(type) { initial }
    }
  }

  /// Decodes many rows, one after another.
  ///
  /// A text that a plain decoder reads is not looked at any closer. One that it does not read may lack a property.
  struct Batch<Value: Codable> {
    private let coding: RowCoding
    private let decoder = SubstanceSerializer.reusableDecoder()

    init(_ coding: RowCoding) { self.coding = coding }

    func value(of record: SharedRecord) throws(ArchiveError) -> Value {
      let text = try coding.migrated(record)
      if JSONText.depth(of: text) <= NestingDepth.shallow,
        let value = try? decoder.decode(Value.self, from: text)
      {
        return value
      }
      return try coding.decode(Value.self, text)
    }
  }

  /// Merges a row that was changed here and elsewhere.
  ///
  /// - Parameters:
  ///   - base: the value that both have changed, as this program encodes it; `nil` if there was none.
  ///   - mine: the value here, as this program encodes it.
  ///   - theirs: the stored text, in the shape of this version. Its keys that this program does not know stay.
  /// - Returns: the merged text, which is a value of this type.
  /// - Throws: why the stored text can't be used.
  func merge<Value: Codable>(
    _ type: Value.Type,
    base: Data?,
    mine: Data,
    theirs: Data,
    initial: Value? = nil
  ) throws(ArchiveError) -> Data {
    if base == mine { return theirs }
    if theirs == mine || theirs == base { return mine }
    return try LargeStackThread.perform(on: [base, mine, theirs].compactMap { $0 }) {
      var texts = [base, mine, theirs]
      if let closure = merges.closure(for: type), let base {
        let values = try [base, mine, theirs].map { try decode(type, $0, initial: initial) }
        let known = try Self.text(of: values[2])
        // Without a change of what this version knows there is nothing to decide.
        if known != base {
          let text = try Self.text(of: closure(values[0], values[1], values[2]))
          // A type may refuse what its closure makes.
          guard (try? decode(type, text, initial: initial)) != nil else { return mine }
          if known == theirs { return text }
          texts = [known, text, theirs]
        }
      }
      let keyed = try texts.map { text in try text.map { try self.keyed(type, $0, initial) } }
      for levels in [Int.max, 1] {
        let merged = ArchiveValue.merge(base: keyed[0], mine: keyed[1], theirs: keyed[2], levels: levels)
        guard let text = merged.map(NotedPlaces.restored)?.text else { continue }
        if (try? decode(type, text, initial: initial)) != nil { return text }
      }
      return texts[1] ?? mine
    }
  }

  /// A text as a value whose unordered collections and elements with identities are found by key.
  private func keyed<Value: Codable>(_ type: Value.Type, _ text: Data, _ initial: Value?) throws
    -> ArchiveValue
  {
    var repair = ArchiveRepair(text)
    let value = try repair.decode(type) { initial }
    let places = NotedPlaces(of: repair.collector.found) { String(decoding: $0.text, as: UTF8.self) }
    _ = try SubstanceSerializer.data(from: value, noting: places, collector: nil)
    return places.keyed(try ArchiveValue(text: text, maximumDepth: NestingDepth.limit))
  }
}
