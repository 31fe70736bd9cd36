package import FlaskEntities
package import Foundation
internal import FlaskCore

/// A state as JSON text with an empty array at the path of each `Entities`, and the content of each `Entities` by its
/// path.
package struct StateOutline {
  package typealias Contents = [[EntitiesCollector.Step]: EntitiesContent]

  /// JSON in UTF-8.
  package let text: Data
  package let contents: Contents

  package init(text: Data, contents: Contents) {
    self.text = text
    self.contents = contents
  }

  /// Whether an empty array stands at the path of each `Entities`, so that a journal can refer to them.
  package var isSound: Bool {
    if contents.isEmpty { return true }
    let value = try? ArchiveValue(text: text, maximumDepth: NestingDepth.limit)
    return contents.keys.allSatisfy { value?.find($0[...]) == .array([]) }
  }
}

extension StateOutline {
  /// The outline of a state. It is `nil` if two `Entities` have the same path.
  ///
  /// - Parameter paths: the paths of the `Entities` to keep apart from the text; `nil` for all.
  /// - Throws: as `SubstanceSerializer.data(from:)` does.
  /// - Complexity: O(*n*) in the size of all but the elements of the entities.
  package init?(of state: some Encodable, only paths: Set<[EntitiesCollector.Step]>? = nil) throws {
    let (text, collector) = try SubstanceSerializer.data(
      from: state,
      collector: EntitiesCollector(only: paths)
    )
    guard let collector, !collector.isAmbiguous else { return nil }
    self.text = text
    contents = collector.found
  }
}
