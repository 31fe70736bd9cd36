package import FlaskCore
package import FlaskEntities
package import Foundation

/// The JSON text of an archive before it is decoded. The text is migrated, and missing properties are supplied while it
/// is decoded.
package struct ArchiveRepair {
  package private(set) var text: Data

  /// The entities that the decoded state was made from.
  package private(set) var collector = EntitiesCollector()

  /// Whether it differs from the bytes read.
  package private(set) var isChanged = false

  package init(_ text: Data) { self.text = text }

  /// Lets the migrations change the archive, version by version.
  ///
  /// - Throws: `ArchiveError.doesNotFit` with the error of the migration.
  package mutating func migrate(
    _ versions: Range<Int>,
    by migrate: (_ version: Int, _ archive: inout ArchiveValue) throws -> Void
  ) throws(ArchiveError) {
    if versions.isEmpty { return }
    var value = try ArchiveValue(text: text, maximumDepth: NestingDepth.limit)
    do {
      for version in versions { try migrate(version, &value) }
    } catch {
      throw .doesNotFit(reason: "its migration failed: \(error)")
    }
    text = value.text
    isChanged = true
  }

  /// Decodes the state. If a property is missing, the text is decoded again, with initial values for missing
  /// properties.
  ///
  /// - Parameters:
  ///   - type: the type of the state.
  ///   - initial: makes the initial state; returns `nil` if there is none, as for an element of a collection.
  /// - Returns: the state.
  /// - Throws: `ArchiveError.doesNotFit` with the path of the problem.
  package mutating func decode<State: Codable>(_ type: State.Type, initial: () -> State?)
    throws(ArchiveError) -> State
  {
    do {
      do {
        return try SubstanceSerializer.decodeUnguarded(type, from: text, collector: collector)
      } catch DecodingError.keyNotFound {
        // A thread with a large stack is used, since the initial values may be nested deeper than the text.
        let text = text
        let repaired = try LargeStackThread.perform { try Self.supplied(type, text, initial()) }
        collector = repaired.collector
        isChanged = isChanged || repaired.isChanged
        return repaired.state
      }
    } catch {
      throw error as? ArchiveError ?? .doesNotFit(reason: Self.reason(of: error))
    }
  }

  /// The state with its missing values supplied: decoded once more for each property that is found missing.
  private static func supplied<State: Codable>(
    _ type: State.Type,
    _ text: Data,
    _ initial: State?
  ) throws -> (state: State, collector: EntitiesCollector, isChanged: Bool) {
    let source = InitialValues()
    let defaults = try initial.map { try SubstanceSerializer.decoder(of: SubstanceSerializer.data(from: $0)) }
    while true {
      let collector = EntitiesCollector()
      let base = try SubstanceSerializer.decoder(of: text, collector: collector)
      let decoder = RepairingDecoder(base: base, defaults: defaults, owner: type, source: source)
      do {
        return (try RepairingDecoder.decode(type, from: decoder), collector, source.isUsed)
      } catch DecodingError.keyNotFound(let key, let context) {
        guard source.supply(key) else { throw DecodingError.keyNotFound(key, context) }
      }
    }
  }

  private static func reason(of error: any Error) -> String {
    switch error as? DecodingError {
    case .keyNotFound(let key, let context):
      CodingPath.description(context.codingPath + [key], context.debugDescription)
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      CodingPath.description(context.codingPath, context.debugDescription)
    default: String(describing: error)
    }
  }
}
