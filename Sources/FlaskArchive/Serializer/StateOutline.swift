internal import FlaskEntities
import Foundation

/// A state as text, with an empty array in the place of each `Entities`, and these by place: copies of it share what is
/// the same in them, and what differs is found by that.
struct StateOutline: Sendable {
  typealias Contents = [[EntitiesCollector.Step]: EntitiesContent]

  /// JSON in UTF-8.
  let text: Data
  let contents: Contents
  /// Whether the entities stand in the text.
  var isWhole = false
}
