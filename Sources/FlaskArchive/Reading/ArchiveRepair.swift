internal import FlaskEntities
import Foundation

/// The JSON text of an archive on its way to a state: migrated, and given what it lacks.
struct ArchiveRepair {
  /// How many missing properties are looked for, one after the other.
  private static let limit = 1_000

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

  /// Decodes the state strictly. Whenever a key is missing, and the defaults have it, that one key is put in, and the
  /// state decoded again: so nothing but what is missing ever comes from the defaults.
  ///
  /// - Parameters:
  ///   - type: the type of the state.
  ///   - makeDefaults: encodes the initial state; asked for once, if at all.
  /// - Returns: the state.
  /// - Throws: `ArchiveError.doesNotFit` that says where.
  mutating func decode<State: Decodable>(
    _ type: State.Type,
    defaults makeDefaults: () throws(ArchiveError) -> ArchiveValue
  ) throws(ArchiveError) -> State {
    var defaults: ArchiveValue?
    for _ in 0...Self.limit {
      do {
        collector = EntitiesCollector()
        return try SubstanceSerializer.decodeUnguarded(type, from: text, collector: collector)
      } catch DecodingError.keyNotFound(let key, let context) {
        let known = if let defaults { defaults } else { try makeDefaults() }
        defaults = known
        var repaired = try parsed()
        guard repaired.insert(key, at: context.codingPath[...], from: known) else {
          throw .doesNotFit(reason: CodingPath.description(context.codingPath + [key], "it is missing"))
        }
        replace(repaired)
      } catch let error as DecodingError {
        throw .doesNotFit(reason: Self.reason(of: error))
      } catch {
        throw .doesNotFit(reason: String(describing: error))
      }
    }
    throw .doesNotFit(reason: "more than \(Self.limit) properties are missing")
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
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
      .dataCorrupted(let context):
      CodingPath.description(context.codingPath, context.debugDescription)
    @unknown default: String(describing: error)
    }
  }
}

extension ArchiveValue {
  /// Puts in what the defaults have under `key` of the object at `path`, if nothing is there.
  ///
  /// Only objects are gone through: what stands at some place of an array has nothing to do with what stands there in
  /// the defaults.
  ///
  /// - Returns: whether something was put in.
  mutating func insert(_ key: any CodingKey, at path: ArraySlice<any CodingKey>, from defaults: ArchiveValue)
    -> Bool
  {
    guard case .object(var members) = self, case .object(let known) = defaults else { return false }
    guard let step = path.first else {
      guard members[key.stringValue] == nil, let value = known[key.stringValue] else { return false }
      self[key.stringValue] = value
      return true
    }
    guard var member = members[step.stringValue], let value = known[step.stringValue],
      member.insert(key, at: path.dropFirst(), from: value)
    else { return false }
    members[step.stringValue] = member
    self = .object(members)
    return true
  }
}
