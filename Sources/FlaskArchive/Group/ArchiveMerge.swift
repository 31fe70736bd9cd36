internal import FlaskPrimitives
package import Foundation

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

extension ArchiveShape {
  /// What becomes of an archive that has been changed here and elsewhere, key by key. If the outcome is no state (the
  /// two have set an enum to different cases, say), only the properties of the state itself are told apart; and if that
  /// is none either, mine is kept.
  ///
  /// - Parameters:
  ///   - base: what both have begun with.
  ///   - mine: what has become of it here.
  ///   - theirs: what another process has written, in this version of the state or an older one.
  ///   - key: the key of the archive.
  /// - Returns: the archive with both changes.
  /// - Throws: why one of the three cannot be read.
  package func merge(base: Data, mine: Data, theirs: Data, for key: String) throws(ArchiveError) -> Data {
    let (version, payload) = try unwrap(theirs, for: key)
    var texts = [try ArchiveFormat.unwrap(base).payload, try ArchiveFormat.unwrap(mine).payload, payload]
    let depth = texts.map { JSONText.depth(of: $0) }.max() ?? 0
    guard depth <= NestingDepth.limit else { throw .tooDeep(limit: NestingDepth.limit) }
    do {
      let work: () throws -> Data = {
        texts[2] = try self.migrated(payload, version).text
        let values = try texts.map { try ArchiveValue(text: $0, maximumDepth: NestingDepth.limit) }
        for levels in [NestingDepth.limit, 1] {
          let merged = ArchiveValue.merge(base: values[0], mine: values[1], theirs: values[2], levels: levels)
          guard let merged else { continue }
          let data = self.wrap(merged.text, for: key)
          if (try? self.decode(data, for: key)) != nil { return data }
        }
        return mine
      }
      return depth <= NestingDepth.shallow ? try work() : try LargeStackThread.perform(work)
    } catch {
      throw ArchiveError(error)
    }
  }
}
