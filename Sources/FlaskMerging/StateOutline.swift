package import FlaskEntities
package import Foundation

/// A state as text, with an empty array in the place of each `Entities`, and these by place: copies of it share what is
/// the same in them, and what differs is found by that.
package struct StateOutline: Sendable {
  package typealias Contents = [[EntitiesCollector.Step]: EntitiesContent]

  /// JSON in UTF-8.
  package let text: Data
  package let contents: Contents
  /// Whether the entities stand in the text.
  package let isWhole: Bool

  package init(text: Data, contents: Contents, isWhole: Bool = false) {
    (self.text, self.contents, self.isWhole) = (text, contents, isWhole)
  }
}
