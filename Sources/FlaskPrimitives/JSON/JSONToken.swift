/// One token of a JSON text.
package enum JSONToken: Equatable, Sendable {
  /// `{`: keys and their values follow until `endObject`.
  case beginObject
  /// `}`
  case endObject
  /// `[`: values follow until `endArray`.
  case beginArray
  /// `]`
  case endArray
  /// A key of an object, including the colon behind it. The value of the key follows.
  case key(String)
  /// A text.
  case string(String)
  /// A number, digit for digit as it is written.
  case number(String)
  /// `true` or `false`.
  case bool(Bool)
  /// `null`
  case null
}

/// The error of a text that cannot be read as JSON.
package enum JSONError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The text violates the grammar, or a rule of its reader.
  ///
  /// - Parameters:
  ///   - reason: the error.
  ///   - offset: where, in bytes from the beginning.
  case broken(_ reason: String, offset: Int)

  /// Arrays and objects are nested deeper than the limit of the reader.
  case tooDeep(limit: Int)

  /// The error and its position.
  package var description: String {
    switch self {
    case .broken(let reason, let offset): "\(reason) at byte \(offset) of the text"
    case .tooDeep(let limit): "nested deeper than \(limit) levels"
    }
  }
}
