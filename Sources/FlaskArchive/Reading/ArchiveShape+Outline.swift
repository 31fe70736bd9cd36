internal import FlaskMerging
internal import FlaskEntities
import Foundation

// States and archives as outlines.
extension ArchiveShape {
  /// The outline of a state.
  ///
  /// - Throws: why the state cannot be encoded.
  func outline(of state: State) throws(ArchiveError) -> StateOutline {
    try ArchiveError.catching {
      if let outline = try SubstanceSerializer.outline(of: state), isSound(outline) { return outline }
      return StateOutline(text: try SubstanceSerializer.data(from: state), contents: [:], isWhole: true)
    }
  }

  /// The outline of an archive, also of an older version, and its state. What only others know stays in it.
  ///
  /// - Throws: why the archive cannot be used.
  func read(_ data: Data, for key: String) throws(ArchiveError) -> (outline: StateOutline, state: State) {
    let (version, payload) = try unwrap(data, for: key)
    let (state, _, repair) = try decode(payload, version)
    if repair.collector.isAmbiguous {
      return (StateOutline(text: repair.text, contents: [:], isWhole: true), state)
    }
    return try ArchiveError.catching { (try outline(repair.text, repair.collector.found), state) }
  }
}
