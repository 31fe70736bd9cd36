package import FlaskMerging
internal import FlaskPrimitives
package import FlaskEntities
public import Foundation

/// Turns a state into JSON, as text or as data in UTF-8, and back: as archives do, for an export, an import, or a file
/// of a test.
///
/// Keys are sorted, so that one state always gives the same text. NaN and the infinities are kept, as the texts
/// `"NaN"`, `"Infinity"` and `"-Infinity"`. A state may be nested 400 levels deep; beyond that there is an error, on
/// whatever thread and stack.
///
/// ```swift
/// let text = try SubstanceSerializer.json(from: AppState())
/// let state = try SubstanceSerializer.state(AppState.self, from: text)
/// ```
///
/// Any thread may call it. No state is kept between calls.
public enum SubstanceSerializer {
  /// The JSON text of a state.
  ///
  /// - Parameter state: the state.
  /// - Returns: the text.
  /// - Throws: `ArchiveError.tooDeep` or `.notEncodable`.
  /// - Complexity: O(*n*) in the size of the state. A state of more than 16 levels is encoded twice: up to the first
  ///   place that is deeper, and then from the start on a thread with a large stack.
  public static func json(from state: some Encodable) throws -> String {
    String(decoding: try data(from: state), as: UTF8.self)
  }

  /// The JSON text of a state in UTF-8.
  ///
  /// - Parameter state: the state.
  /// - Returns: the bytes of the text.
  /// - Throws: `ArchiveError.tooDeep` or `.notEncodable`.
  /// - Complexity: O(*n*) in the size of the state. A state of more than 16 levels is encoded twice: up to the first
  ///   place that is deeper, and then from the start on a thread with a large stack.
  public static func data(from state: some Encodable) throws -> Data {
    try data(from: state, collector: nil).text
  }

  /// The JSON text of a state in UTF-8.
  ///
  /// - Parameters:
  ///   - state: the state.
  ///   - places: gets the marks of places that the text does not show.
  ///   - collector: gets the contents of all `Entities`. The text has an empty array in place of each.
  /// - Throws: as `data(from:)` does.
  package static func data(
    from state: some Encodable,
    noting places: NotedPlaces? = nil,
    collector: @autoclosure () -> EntitiesCollector?
  ) throws -> (text: Data, collector: EntitiesCollector?) {
    func attempt(_ limit: Int) throws -> (text: Data, collector: EntitiesCollector?)? {
      let collector = collector()
      let text = try NestingDepth.guarded(
        state,
        limit: limit,
        noting: places,
        tracking: collector != nil,
        encode: encoder(collector).encode
      )
      return text.map { ($0, collector) }
    }
    do {
      let found =
        try attempt(NestingDepth.shallow) ?? LargeStackThread.perform { try attempt(NestingDepth.limit) }
      guard let found else { throw ArchiveError.tooDeep(limit: NestingDepth.limit) }
      return found
    } catch let error as ArchiveError {
      throw error
    } catch {
      throw ArchiveError.notEncodable(reason: Self.reason(of: error))
    }
  }

  /// The state that a JSON text describes. Properties that the state does not have are ignored.
  ///
  /// - Parameters:
  ///   - type: the type of the state.
  ///   - json: the text.
  /// - Returns: the state.
  /// - Throws: `ArchiveError.tooDeep`, or the error of the state when it does not fit.
  /// - Complexity: O(*n*) in the length of the text.
  public static func state<State: Decodable>(_ type: State.Type = State.self, from json: String) throws
    -> State
  {
    try state(type, from: Data(json.utf8))
  }

  /// The state that a JSON text in UTF-8 or UTF-16 describes. Properties that the state does not have are ignored.
  ///
  /// - Parameters:
  ///   - type: the type of the state.
  ///   - data: the bytes of the text.
  /// - Returns: the state.
  /// - Throws: `ArchiveError.tooDeep`, or the error of the state when it does not fit.
  /// - Complexity: O(*n*) in the number of bytes.
  public static func state<State: Decodable>(_ type: State.Type = State.self, from data: Data) throws -> State
  {
    let text = LegacyArchive.matches(data) ? try LegacyArchive.payload(of: data) : data
    let depth = JSONText.depth(of: text)
    guard depth <= NestingDepth.limit else { throw ArchiveError.tooDeep(limit: NestingDepth.limit) }
    if depth <= NestingDepth.shallow { return try decodeUnguarded(type, from: text) }
    return try LargeStackThread.perform { try decodeUnguarded(type, from: text) }
  }

  /// Decodes text without a check of its nesting. The caller must have checked that the stack of this thread suffices.
  package static func decodeUnguarded<State: Decodable>(
    _ type: State.Type,
    from text: Data,
    collector: EntitiesCollector? = nil
  ) throws -> State {
    try decoder(collector).decode(type, from: text)
  }

  /// A decoder for many texts, one after another. It reads what `decodeUnguarded` reads, and notes no entities.
  package static func reusableDecoder() -> JSONDecoder { decoder(nil) }

  /// Returns a decoder of a text. The decoder can be used after this call.
  package static func decoder(of text: Data, collector: EntitiesCollector? = nil) throws -> any Decoder {
    struct Root: Decodable {
      let decoder: any Decoder
      init(from decoder: any Decoder) { self.decoder = decoder }
    }
    return try decoder(collector).decode(Root.self, from: text).decoder
  }

  private static func encoder(_ collector: EntitiesCollector? = nil) -> JSONEncoder {
    let encoder = JSONEncoder()
    if let collector, let key = EntitiesCollector.key { encoder.userInfo[key] = collector }
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: NonFiniteText.infinity,
      negativeInfinity: NonFiniteText.negativeInfinity,
      nan: NonFiniteText.nan
    )
    return encoder
  }

  private static func decoder(_ collector: EntitiesCollector?) -> JSONDecoder {
    let decoder = JSONDecoder()
    if let collector, let key = EntitiesCollector.key { decoder.userInfo[key] = collector }
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: NonFiniteText.infinity,
      negativeInfinity: NonFiniteText.negativeInfinity,
      nan: NonFiniteText.nan
    )
    return decoder
  }

  private static func reason(of error: any Error) -> String {
    guard case EncodingError.invalidValue(_, let context) = error else { return String(describing: error) }
    return CodingPath.description(context.codingPath, context.debugDescription)
  }
}
