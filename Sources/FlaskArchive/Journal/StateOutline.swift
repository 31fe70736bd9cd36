internal import FlaskEntities
import Foundation

/// A state as JSON text with an empty array at the path of each `Entities`, and the content of each `Entities` by its
/// path.
struct StateOutline {
  typealias Contents = [[EntitiesCollector.Step]: EntitiesContent]

  /// JSON in UTF-8.
  let text: Data
  let contents: Contents

  /// Whether an empty array stands at the path of each `Entities`, so that a journal can refer to them.
  var isSound: Bool {
    if contents.isEmpty { return true }
    let value = try? ArchiveValue(text: text, maximumDepth: NestingDepth.limit)
    return contents.keys.allSatisfy { value?.find($0[...]) == .array([]) }
  }
}

extension StateOutline {
  /// The outline of a state. It is `nil` if two `Entities` have the same path.
  ///
  /// - Throws: as `SubstanceSerializer.data(from:)` does.
  /// - Complexity: O(*n*) in the size of all but the elements of the entities.
  init?(of state: some Encodable) throws {
    let (text, collector) = try SubstanceSerializer.data(from: state, collector: EntitiesCollector())
    guard let collector, !collector.isAmbiguous else { return nil }
    self.text = text
    contents = collector.found
  }
}
