internal import FlaskCoding
internal import FlaskDiff

extension EncodedShape.Value: Encodable {
  /// Encodes the value as it would have been encoded at its path in the state.
  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .value(let value):
      try EncodingLevel.check(value, at: encoder.codingPath)
      // The value is encoded through a container, since only there an encoder applies its special encoding of some
      // types, such as `Date`.
      var container = encoder.singleValueContainer()
      try container.encode(value)
    case .shape(let shape): try shape.encode(to: encoder)
    }
  }
}

extension EncodedShape: Encodable {
  /// Encodes the passed values unchanged.
  package func encode(to encoder: any Encoder) throws {
    switch form {
    case .single: try values.last?.encode(to: encoder)
    case .unkeyed:
      var container = encoder.unkeyedContainer()
      for value in values { try container.encode(value) }
    case .keyed, .none:
      var container = encoder.container(keyedBy: PlainKey.self)
      for (name, value) in zip(names, values) {
        try container.encode(value, forKey: PlainKey(stringValue: name))
      }
    }
  }
}
