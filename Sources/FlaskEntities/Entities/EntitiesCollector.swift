internal import FlaskDiff

/// Collects the entities that an encoder or a decoder comes across, with their paths.
///
/// Passed by ``key`` in the user information. An encoder with a collector writes an empty array for each `Entities`, so
/// that the state is encoded without their elements. A decoder with a collector reads as usual, except for paths with
/// supplied contents: these contents are taken and not read.
package final class EntitiesCollector: @unchecked Sendable {
  // `@unchecked Sendable`:
  // - Isolation: a collector belongs to one encoding or decoding, which uses one thread at a time.
  // - If violated: a data race.

  /// One step of the path to a value in a state.
  package enum Step: Hashable, Sendable {
    /// A key of an object.
    case key(String)
    /// An index of an array.
    case index(Int)
  }

  /// The key of the collector in the user information of an encoder or decoder.
  package static let key = CodingUserInfoKey(rawValue: "FlaskEntities.EntitiesCollector")

  /// The collections that were found, by path.
  package private(set) var found: [[Step]: EntitiesContent] = [:]

  /// Whether the collector is unreliable: two collections had one path, or a collection had fewer elements than its
  /// array.
  package private(set) var isAmbiguous = false

  private var depth = 0
  private var supplied: [[Step]: EntitiesContent]
  private let paths: Set<[Step]>?

  /// Makes a collector that has found nothing yet.
  ///
  /// - Parameters:
  ///   - supplied: the contents, by path, that a decoder takes instead of reading entities.
  ///   - paths: the paths of the entities that an encoder leaves out of its text; `nil` for all.
  package init(supplying supplied: [[Step]: EntitiesContent] = [:], only paths: Set<[Step]>? = nil) {
    self.supplied = supplied
    self.paths = paths
  }

  /// Whether an encoder leaves the entities at a path out of its text.
  func isCollected(at path: [any CodingKey]) -> Bool { paths?.contains(Self.place(of: path)) ?? true }

  /// Whether all supplied contents have been taken.
  package var isTaken: Bool { supplied.isEmpty }

  /// Takes the supplied content for a path.
  func take<Element>(at path: [any CodingKey]) -> Entities<Element>? {
    if supplied.isEmpty { return nil }
    let place = Self.place(of: path)
    guard let content = supplied[place] as? TypedEntitiesContent<Element> else { return nil }
    supplied[place] = nil
    return content.entities
  }

  /// The collector of an encoder or a decoder.
  static func of(_ information: [CodingUserInfoKey: Any]) -> EntitiesCollector? {
    // Most have no information at all.
    if information.isEmpty { return nil }
    return key.flatMap { information[$0] as? EntitiesCollector }
  }

  /// To be called when the decoding of the elements of entities begins.
  func enter() { depth += 1 }

  /// To be called when the elements of entities have been decoded.
  func leave() { depth -= 1 }

  /// Adds entities that were decoded, unless they belong to an element of other entities.
  ///
  /// - Parameter isWhole: whether the entities contain all elements of the array that was read.
  func addOutermost(_ content: @autoclosure () -> EntitiesContent, at path: [any CodingKey], isWhole: Bool) {
    guard depth == 1 else { return }
    add(content(), at: path)
    isAmbiguous = isAmbiguous || !isWhole
  }

  /// Adds entities with their path.
  func add(_ content: EntitiesContent, at path: [any CodingKey]) {
    isAmbiguous = found.updateValue(content, forKey: Self.place(of: path)) != nil || isAmbiguous
  }

  /// The steps of a coding path.
  package static func place(of path: [any CodingKey]) -> [Step] {
    path.map { key in
      if let index = key.intValue, key is PlainKey || key.stringValue.hasPrefix("Index ") {
        return Step.index(index)
      }
      return Step.key(key.stringValue)
    }
  }
}
