/// How deep a state or a JSON text may be nested, so that something recursive can work on it.
enum NestingDepth {
  /// How deep a state may be nested.
  static let limit = 400

  /// As deep as any thread's stack can take.
  static let shallow = 16

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
