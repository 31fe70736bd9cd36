internal import FlaskPrimitives

extension FlaskDictRef: Codable {
  private enum CodingKeys: String, CodingKey {
    case dictionary, marked
  }

  /// Encodes `{"dictionary": "<JSON text>"}` with sorted keys.
  ///
  /// A value that JSON cannot represent is written as a marked value, such as `{"$date": "0.0"}`, and `"marked": true`
  /// is added. Objects are encoded as nil. Complexity: O(n log n).
  public func encode(to encoder: any Encoder) throws {
    let (text, isMarked) = JSONTextWriter.text(of: branch)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(text, forKey: .dictionary)
    if isMarked { try container.encode(true, forKey: .marked) }
  }

  /// Decodes what `encode(to:)` writes.
  ///
  /// - Throws: `DecodingError.dataCorrupted` with the path, if the text is no JSON object or a marked value is invalid.
  ///   Complexity: linear.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let text = try container.decode(String.self, forKey: .dictionary)
    let isMarked = try container.decodeIfPresent(Bool.self, forKey: .marked) ?? false
    do {
      self.init(branch: try JSONTextReader.branch(from: text, isMarked: isMarked))
    } catch {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: container.codingPath + [CodingKeys.dictionary],
          debugDescription: error.description,
          underlyingError: error
        )
      )
    }
  }
}
