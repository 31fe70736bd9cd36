/// The content of a value of a JSON text.
package enum JSONContent<Value> {
  /// The elements of an array.
  case list([Value])
  /// The members of an object. If a key occurs twice, the last value counts.
  case table([String: Value])
  case string(String)
  /// A number as it is written.
  case number(String)
  case bool(Bool)
  case null
}

extension JSONScanner {
  /// Reads the text as one value of any depth, with constant stack. Complexity: linear.
  ///
  /// - Parameter make: returns the value for a content. It is called for the innermost contents first. `offset` is the
  ///   beginning of an array or object, and the end of any other content.
  package mutating func read<Value>(
    _ make: (_ content: JSONContent<Value>, _ offset: Int) throws(JSONError) -> Value
  ) throws(JSONError) -> Value {
    typealias Level = (isTable: Bool, offset: Int, key: String, list: [Value], table: [String: Value])
    // The scanner guarantees that the text has exactly one value, and that every level ends.
    var levels: [Level] = [(false, 0, "", [], [:])]
    while let token = try next() {
      let value: Value
      switch token {
      case .beginObject, .beginArray:
        levels.append((token == .beginObject, offset - 1, "", [], [:]))
        continue
      case .key(let key):
        levels[levels.count - 1].key = key
        continue
      case .endObject, .endArray:
        let level = levels.removeLast()
        value = try make(level.isTable ? .table(level.table) : .list(level.list), level.offset)
      case .string(let text): value = try make(.string(text), offset)
      case .number(let literal): value = try make(.number(literal), offset)
      case .bool(let truth): value = try make(.bool(truth), offset)
      case .null: value = try make(.null, offset)
      }
      let last = levels.count - 1
      if levels[last].isTable {
        levels[last].table[levels[last].key] = value
      } else {
        levels[last].list.append(value)
      }
    }
    return levels[0].list[0]
  }
}
