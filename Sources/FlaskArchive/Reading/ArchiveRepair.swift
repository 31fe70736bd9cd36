internal import FlaskEntities
import Foundation

/// The JSON text of an archive on its way to a state: migrated, and given what it lacks.
struct ArchiveRepair {
  private var text: Data
  private var value: ArchiveValue?

  /// The entities that the decoded state was made from.
  private(set) var collector = EntitiesCollector()

  /// Whether it is something other than what was read.
  private(set) var isChanged = false

  init(_ text: Data) { self.text = text }

  /// Lets a migration change the archive.
  ///
  /// - Throws: `ArchiveError.doesNotFit` with what the migration throws.
  mutating func change(_ migrate: (inout ArchiveValue) throws -> Void) throws(ArchiveError) {
    var changed = try parsed()
    do {
      try migrate(&changed)
    } catch {
      throw .doesNotFit(reason: "its migration failed: \(error)")
    }
    replace(changed)
  }

  /// Decodes the state: strictly first, and then, if a property is missing, with initial values for those.
  ///
  /// - Parameters:
  ///   - type: the type of the state.
  ///   - initial: makes the initial state.
  /// - Returns: the state.
  /// - Throws: `ArchiveError.doesNotFit` that says where.
  mutating func decode<State: Codable>(_ type: State.Type, initial: () -> State) throws(ArchiveError) -> State
  {
    do {
      do {
        return try SubstanceSerializer.decodeUnguarded(type, from: text, collector: collector)
      } catch DecodingError.keyNotFound {
        collector = EntitiesCollector()
        let source = InitialValues()
        let decoder = RepairingDecoder(
          base: try SubstanceSerializer.decoder(of: text, collector: collector),
          defaults: try SubstanceSerializer.decoder(of: SubstanceSerializer.data(from: initial())),
          owner: type,
          source: source
        )
        let state = try RepairingDecoder.decode(type, from: decoder)
        isChanged = isChanged || source.isUsed
        return state
      }
    } catch let error as ArchiveError {
      throw error
    } catch let error as DecodingError {
      throw .doesNotFit(reason: Self.reason(of: error))
    } catch {
      throw .doesNotFit(reason: String(describing: error))
    }
  }

  private mutating func parsed() throws(ArchiveError) -> ArchiveValue {
    // Taken out, so that the copy that is changed is the only one.
    if let value {
      self.value = nil
      return value
    }
    return try ArchiveValue(text: text, maximumDepth: NestingDepth.limit)
  }

  private mutating func replace(_ changed: ArchiveValue) {
    text = changed.text
    value = changed
    isChanged = true
  }

  private static func reason(of error: DecodingError) -> String {
    switch error {
    case .keyNotFound(let key, let context):
      CodingPath.description(context.codingPath + [key], context.debugDescription)
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      CodingPath.description(context.codingPath, context.debugDescription)
    @unknown default: String(describing: error)
    }
  }
}
