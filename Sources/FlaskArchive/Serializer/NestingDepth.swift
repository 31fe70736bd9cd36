import Foundation

/// How deep a state or a JSON text is nested, found out before something recursive is let loose on it.
enum NestingDepth {
  /// How deep a state may be nested.
  static let limit = 400

  /// As deep as any thread's stack can take.
  static let shallow = 16

  /// How deep arrays and objects are nested in JSON text, well-formed or not.
  ///
  /// - Complexity: O(*n*) in the number of bytes, no recursion.
  static func ofText(_ text: Data) -> Int {
    var (depth, deepest, isInString, isEscaped) = (0, 0, false, false)
    for byte in text {
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
      } else if byte == UInt8(ascii: "\"") {
        isInString = true
      } else if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
        depth += 1
        deepest = max(deepest, depth)
      } else if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
        depth -= 1
      }
    }
    return deepest
  }

  /// Says whether a value encodes to no more than `limit` levels. It encodes the value into nothing, and stops at the
  /// level beyond the limit, so that the stack need only be good for the limit.
  ///
  /// A value that throws when it is encoded is measured up to there: the real encoder will meet the same error, and
  /// can say where.
  static func isWithin(_ limit: Int, _ value: some Encodable) -> Bool {
    let record = DepthProbe.Record()
    try? DepthProbe(limit: limit, record: record).look(at: value)
    return record.deepest <= limit
  }
}
