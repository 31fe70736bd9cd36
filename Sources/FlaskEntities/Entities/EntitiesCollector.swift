internal import FlaskDiff

/// Collects the entities that an encoder or a decoder comes across, with their places.
///
/// Passed by ``key`` in the user information. An encoder that has one writes an empty array for each entities, so that
/// a state is encoded without their elements; a decoder reads as usual, except for supplied ones.
package final class EntitiesCollector: @unchecked Sendable {
  // `@unchecked Sendable`:
  // - Isolation: it belongs to one encoding or decoding, which uses one thread at a time.
  // - If violated: a data race.

  /// One step of the way to a place in a state.
  package enum Step: Hashable, Sendable {
    /// A key of an object.
    case key(String)
    /// An index of an array.
    case index(Int)
  }

  /// Where encoders and decoders have it.
  package static let key = CodingUserInfoKey(rawValue: "FlaskEntities.EntitiesCollector")

  /// The collections found, by place.
  package private(set) var found: [[Step]: EntitiesContent] = [:]

  /// Whether two were found at one place, or fewer elements than there stand, so that nothing may be relied on.
  package private(set) var isAmbiguous = false

  private var depth = 0
  private var supplied: [[Step]: EntitiesContent]

  /// Makes one that has nothing yet.
  ///
  /// - Parameter supplied: the contents that a decoder takes, by place, where it would read entities.
  package init(supplying supplied: [[Step]: EntitiesContent] = [:]) { self.supplied = supplied }

  /// Whether all that was supplied has been taken.
  package var isTaken: Bool { supplied.isEmpty }

  /// Takes the supplied content for a place.
  func take<Element>(at path: [any CodingKey]) -> Entities<Element>? {
    if supplied.isEmpty { return nil }
    let place = Self.place(of: path)
    guard let content = supplied[place] as? TypedContent<Element> else { return nil }
    supplied[place] = nil
    return content.entities
  }

  /// That of an encoder or a decoder.
  static func of(_ information: [CodingUserInfoKey: Any]) -> EntitiesCollector? {
    // Most have no information at all.
    if information.isEmpty { return nil }
    return key.flatMap { information[$0] as? EntitiesCollector }
  }

  /// The elements of entities are decoded from this point.
  func enter() { depth += 1 }

  /// The elements are decoded.
  func leave() { depth -= 1 }

  /// Takes entities that were decoded, unless they belong to an element of others.
  ///
  /// - Parameter isWhole: whether they have all that was read.
  func addOutermost(_ content: @autoclosure () -> EntitiesContent, at path: [any CodingKey], isWhole: Bool) {
    guard depth == 1 else { return }
    add(content(), at: path)
    isAmbiguous = isAmbiguous || !isWhole
  }

  /// Takes entities that stand at a place.
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
