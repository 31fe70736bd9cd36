internal import FlaskEntities
internal import FlaskMerging
import Foundation

extension ArchiveShape {
  /// Merges two archives that have been changed independently of each other, key by key, entry by entry, element by
  /// element.
  ///
  /// It may be impossible to decode the result as a state, because a type with its own encoding expects another form.
  /// Then only the properties of the state itself are merged, each as a whole. If that result cannot be decoded either,
  /// `mine` is returned.
  ///
  /// - Parameters:
  ///   - base: the common ancestor of both.
  ///   - mine: the archive whose value is kept where both have changed one.
  ///   - theirs: the other archive, in this version of the state or an older version.
  ///   - key: the key of the archive.
  /// - Returns: the archive with the changes of both. Properties that only another version of the app knows stay in the
  ///   archive.
  /// - Throws: the reason why one of the three archives cannot be read.
  func merge(base: Data, mine: Data, theirs: Data, for key: String) throws(ArchiveError) -> Data {
    var read: [(state: State, text: Data, found: StateOutline.Contents)] = []
    for archive in [base, mine, theirs] {
      let (found, payload) = try unwrap(archive, for: key)
      let (state, _, repair) = try decode(payload, found)
      read.append((state, repair.text, repair.collector.found))
    }
    return try LargeStackThread.perform(on: read.map(\.text)) {
      let values = try read.map { state, text, found in
        let places = NotedPlaces(of: found) { String(decoding: $0.text, as: UTF8.self) }
        _ = try SubstanceSerializer.data(from: state, noting: places, collector: nil)
        return places.keyed(try ArchiveValue(text: text, maximumDepth: NestingDepth.limit))
      }
      for levels in [Int.max, 1] {
        let merged = ArchiveValue.merge(base: values[0], mine: values[1], theirs: values[2], levels: levels)
        guard let text = merged.map(NotedPlaces.restored)?.text else { continue }
        if (try? decode(text, version)) != nil { return wrap(text, for: key) }
      }
      return mine
    }
  }
}
