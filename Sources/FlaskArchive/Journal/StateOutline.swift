internal import FlaskEntities
import Foundation

/// A state as text, with an empty array in the place of each `Entities`, and these by place.
struct StateOutline {
  typealias Contents = [[EntitiesCollector.Step]: EntitiesContent]

  /// JSON in UTF-8.
  let text: Data
  let contents: Contents

  /// Whether an empty array stands in the place of each entities, so that a journal can say where they are.
  var isSound: Bool {
    if contents.isEmpty { return true }
    let value = try? ArchiveValue(text: text, maximumDepth: NestingDepth.limit)
    return contents.keys.allSatisfy { value?.find($0[...]) == .array([]) }
  }
}

extension StateOutline {
  /// The outline of a state; `nil` if two entities stand at one place.
  ///
  /// - Throws: as `SubstanceSerializer.data(from:)` does.
  /// - Complexity: O(*n*) in the size of all but the elements of the entities.
  init?(of state: some Encodable) throws {
    let (text, collector) = try SubstanceSerializer.data(from: state, collector: EntitiesCollector())
    guard let collector, !collector.isAmbiguous else { return nil }
    (self.text, contents) = (text, collector.found)
  }
}
