package import FlaskCore
internal import FlaskEntities
package import Foundation

/// Knows how states of one type become text and back, and so what becomes of one that two have changed.
package protocol StateMerging {
  associatedtype State: Encodable
  static func value(of text: Data) throws -> ArchiveValue
  static func text(of value: ArchiveValue) -> Data
  static func encode(_ value: any Encodable, noting places: UnorderedPlaces) throws -> Data
  static func decode(_ type: any Decodable.Type, from text: Data) throws -> Any
  func decode(_ outline: StateOutline) throws -> State
}

extension StateMerging {
  /// What becomes of a state that has been changed here and elsewhere, key by key, entry by entry, element by element.
  /// If the outcome is no state (the two have set an enum to different cases, say), only the properties of the state
  /// itself are told apart; and if that is none either, mine is kept.
  ///
  /// - Parameters:
  ///   - base: what both have begun with.
  ///   - mine: what has become of it here.
  ///   - theirs: what another process has written.
  /// - Returns: the state with both changes.
  /// - Throws: why one of the three cannot be read.
  package func merged(base: StateOutline, mine: StateOutline, theirs: StateOutline) throws -> StateOutline {
    var outlines = [base, mine, theirs]
    let places = Self.places
    for outline in outlines { _ = try Self.encode(decode(outline), noting: places) }
    var values = try outlines.map { try Self.value(of: $0.text) }
    if !Self.areAlike(outlines, values) {
      outlines = try outlines.map { try whole($0) }
      values = try outlines.map { try Self.value(of: $0.text) }
    }
    let keyed = values.map(places.keyed)
    for levels in [Int.max, 1] {
      let merged = ArchiveValue.merge(base: keyed[0], mine: keyed[1], theirs: keyed[2], levels: levels)
      guard let rest = merged.map(UnorderedPlaces.restored) else { continue }
      let outline = Self.merged(outlines[0], outlines[1], outlines[2], rest: rest)
      if (try? decode(outline)) != nil { return outline }
    }
    return mine
  }

  /// The outline with all entities in the text.
  package func whole(_ outline: StateOutline) throws -> StateOutline {
    var value = try Self.value(of: outline.text)
    for (path, content) in outline.contents {
      guard let elements = content.elements(at: nil) else { continue }
      value.replace(path[...], by: try Self.value(of: Self.encode(elements, noting: Self.places)))
    }
    return StateOutline(text: Self.text(of: value), contents: [:], isWhole: true)
  }

  /// Whether an empty array stands in the place of each entities, so that one can say where they are.
  package func isSound(_ outline: StateOutline) -> Bool {
    if outline.contents.isEmpty { return true }
    let value = try? Self.value(of: outline.text)
    return outline.contents.keys.allSatisfy { value?.hasArray(at: $0[...]) ?? false }
  }

  /// The outline of a text that has entities in these places.
  package func outline(_ text: Data, _ contents: StateOutline.Contents) throws -> StateOutline {
    if contents.isEmpty { return StateOutline(text: text, contents: contents) }
    var rest = try Self.value(of: text)
    for path in contents.keys { rest.replace(path[...], by: .array([])) }
    return StateOutline(text: Self.text(of: rest), contents: contents)
  }

  private static var places: UnorderedPlaces {
    UnorderedPlaces { String(decoding: text(of: $0), as: UTF8.self) }
  }

  /// Whether a place means the same in each: entities that stand in arrays are the same ones as long as the arrays are.
  private static func areAlike(_ outlines: [StateOutline], _ values: [ArchiveValue]) -> Bool {
    if outlines.contains(where: \.isWhole) { return false }
    return outlines.allSatisfy { outline in
      outline.contents.keys.allSatisfy { path in
        let array = path.prefix { if case .index = $0 { false } else { true } }
        if array.count == path.count { return true }
        let found = values.map { $0.find(array) }
        return found.allSatisfy { $0 == found[0] }
      }
    }
  }

  /// The entities of the three, in what has become of the rest.
  private static func merged(
    _ base: StateOutline,
    _ mine: StateOutline,
    _ theirs: StateOutline,
    rest: ArchiveValue
  ) -> StateOutline {
    var contents = theirs.contents.merging(mine.contents) { $1 }.filter { rest.hasArray(at: $0.key[...]) }
    for (path, other) in theirs.contents {
      guard let own = mine.contents[path] as? any TypedEntitiesContent, contents[path] != nil else {
        continue
      }
      contents[path] = EntitiesMerge.merge(own, base: base.contents[path], theirs: other, mergeElements)
    }
    return StateOutline(text: text(of: rest), contents: contents, isWhole: base.isWhole)
  }

  /// Merges elements as text, key by key.
  private static func mergeElements(_ base: Any?, _ mine: Any, _ theirs: Any?) -> Any? {
    func value(of element: Any?) -> ArchiveValue? {
      guard let element = element as? any Encodable else { return nil }
      let places = places
      return (try? Self.value(of: encode(element, noting: places))).map(places.keyed)
    }
    let (old, own) = (value(of: base), value(of: mine))
    guard let theirs else { return own == old ? nil : mine }
    guard let type = type(of: mine) as? any Decodable.Type,
      let merged = ArchiveValue.merge(base: old, mine: own, theirs: value(of: theirs), levels: .max)
    else { return mine }
    return (try? decode(type, from: text(of: UnorderedPlaces.restored(merged)))) ?? mine
  }
}
