internal import FlaskEntities
import Foundation

// States and archives as outlines.
extension ArchiveShape {
  /// The outline of a state.
  ///
  /// - Throws: why the state cannot be encoded.
  func outline(of state: State) throws(ArchiveError) -> StateOutline {
    do {
      if let outline = try SubstanceSerializer.outline(of: state), isSound(outline) { return outline }
      return StateOutline(text: try SubstanceSerializer.data(from: state), contents: [:], isWhole: true)
    } catch {
      throw ArchiveError(error)
    }
  }

  /// The outline of an archive, also of an older version, and its state. What only others know stays in it.
  ///
  /// - Returns: the two, and whether the archive's text is what the outline has.
  /// - Throws: why the archive cannot be used.
  func read(
    _ data: Data,
    for key: String
  ) throws(ArchiveError) -> (outline: StateOutline, state: State, isCurrent: Bool) {
    let (version, payload) = try unwrap(data, for: key)
    let (state, isCurrent, repair) = try decode(payload, version)
    let contents = repair.collector.found
    if repair.collector.isAmbiguous || contents.isEmpty {
      let outline = StateOutline(text: repair.text, contents: [:], isWhole: repair.collector.isAmbiguous)
      return (outline, state, isCurrent)
    }
    var rest = try ArchiveValue(text: repair.text, maximumDepth: NestingDepth.limit)
    for path in contents.keys { rest.replace(path[...], by: .array([])) }
    return (StateOutline(text: rest.text, contents: contents), state, isCurrent)
  }

  /// The state of an outline.
  ///
  /// - Throws: why it is none.
  func decode(_ outline: StateOutline) throws(ArchiveError) -> State {
    try decode(outline.text, version, supplying: outline.contents).state
  }

  /// The archive of an outline.
  ///
  /// - Throws: why an element cannot be encoded.
  func archive(of outline: StateOutline, for key: String) throws(ArchiveError) -> Data {
    wrap(try whole(outline).text, for: key)
  }

  /// The outline with all entities in the text.
  func whole(_ outline: StateOutline) throws(ArchiveError) -> StateOutline {
    if outline.contents.isEmpty { return StateOutline(text: outline.text, contents: [:], isWhole: true) }
    do {
      var value = try ArchiveValue(text: outline.text, maximumDepth: NestingDepth.limit)
      for (path, content) in outline.contents {
        guard let elements = content.elements(at: nil) else { continue }
        let text = try SubstanceSerializer.data(from: elements)
        value.replace(path[...], by: try ArchiveValue(text: text, maximumDepth: NestingDepth.limit))
      }
      return StateOutline(text: value.text, contents: [:], isWhole: true)
    } catch {
      throw ArchiveError(error)
    }
  }
}
