internal import FlaskPrimitives
internal import FlaskEntities
import Foundation

extension ArchiveValue {
  /// What becomes of a value that has been changed here and elsewhere: key by key, what has changed on one side only is
  /// taken from there; what has changed on both is mine, since mine is written last. Arrays count as a whole.
  ///
  /// - Parameters:
  ///   - base: what both have begun with; `nil` if there was nothing.
  ///   - mine: what has become of it here.
  ///   - theirs: what has become of it elsewhere.
  ///   - levels: how deep keys are looked into.
  /// - Complexity: O(*n*) in the size of the values; the stack grows with the depth.
  static func merge(
    base: ArchiveValue?,
    mine: ArchiveValue?,
    theirs: ArchiveValue?,
    levels: Int
  ) -> ArchiveValue? {
    if mine == base { return theirs }
    if theirs == base || mine == theirs { return mine }
    guard levels > 0, case .object(let mine)? = mine, case .object(let theirs)? = theirs else { return mine }
    let base = base?.object ?? [:]
    var merged: [String: ArchiveValue] = [:]
    for key in Set(mine.keys).union(theirs.keys) {
      merged[key] = merge(base: base[key], mine: mine[key], theirs: theirs[key], levels: levels - 1)
    }
    return .object(merged)
  }
}

/// Merges elements as JSON, key by key.
private func mergeEncoded(_ base: Any?, _ mine: Any, _ theirs: Any?) -> Any? {
  func value(of element: Any?) -> ArchiveValue? {
    guard let element = element as? any Encodable else { return nil }
    let places = UnorderedPlaces()
    let text = try? SubstanceSerializer.data(from: element, noting: places)
    return text.flatMap { try? ArchiveValue(text: $0, maximumDepth: NestingDepth.limit) }.map(places.keyed)
  }
  let (old, own) = (value(of: base), value(of: mine))
  guard let theirs else { return own == old ? nil : mine }
  guard let type = type(of: mine) as? any Decodable.Type,
    let merged = ArchiveValue.merge(
      base: old,
      mine: own,
      theirs: value(of: theirs),
      levels: UnorderedPlaces.levels
    )
  else { return mine }
  return (try? SubstanceSerializer.state(type, from: UnorderedPlaces.restored(merged).text)) ?? mine
}

extension ArchiveShape {
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
  func merge(base: StateOutline, mine: StateOutline, theirs: StateOutline) throws(ArchiveError)
    -> StateOutline
  {
    var outlines = [base, mine, theirs]
    let depth = outlines.map { JSONText.depth(of: $0.text) }.max() ?? 0
    guard depth <= NestingDepth.limit else { throw .tooDeep(limit: NestingDepth.limit) }
    do {
      let work: () throws -> StateOutline = {
        let places = UnorderedPlaces()
        for outline in outlines {
          _ = try SubstanceSerializer.outline(of: self.decode(outline), noting: places)
        }
        var values = try outlines.map { try $0.value }
        if !StateOutline.areAlike(outlines, values) {
          outlines = try outlines.map { try self.whole($0) }
          values = try outlines.map { try $0.value }
        }
        let keyed = values.map(places.keyed)
        for levels in [UnorderedPlaces.levels, 1] {
          let merged = ArchiveValue.merge(base: keyed[0], mine: keyed[1], theirs: keyed[2], levels: levels)
          guard let merged = merged.map(UnorderedPlaces.restored) else { continue }
          let outline = StateOutline.merge(outlines, rest: merged)
          if (try? self.decode(outline)) != nil { return outline }
        }
        return mine
      }
      return try depth <= NestingDepth.shallow ? work() : LargeStackThread.perform(work)
    } catch {
      throw ArchiveError(error)
    }
  }
}

extension StateOutline {
  fileprivate var value: ArchiveValue {
    get throws(ArchiveError) { try ArchiveValue(text: text, maximumDepth: NestingDepth.limit) }
  }

  /// Whether a place means the same in each: entities that stand in arrays are the same ones as long as the arrays are.
  fileprivate static func areAlike(_ outlines: [StateOutline], _ values: [ArchiveValue]) -> Bool {
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

  /// The entities of base, mine and theirs, merged, in what has become of the rest.
  fileprivate static func merge(_ outlines: [StateOutline], rest: ArchiveValue) -> StateOutline {
    let (base, mine, theirs) = (outlines[0].contents, outlines[1].contents, outlines[2].contents)
    var contents = theirs.merging(mine) { $1 }.filter { rest.hasArray(at: $0.key[...]) }
    for (path, other) in theirs {
      guard let own = mine[path], contents[path] != nil else { continue }
      contents[path] = own.merged(base: base[path], theirs: other, mergeEncoded) ?? own
    }
    return StateOutline(text: rest.text, contents: contents, isWhole: outlines[0].isWhole)
  }
}
