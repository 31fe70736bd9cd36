import FlaskCore

/// A dictionary of 100 entries.
struct SmallDictionaryState: FlaskState {
  var entries: [String: Int] = Dictionary(uniqueKeysWithValues: (0..<100).map { ("key\($0)x\($0)", 0) })
}
