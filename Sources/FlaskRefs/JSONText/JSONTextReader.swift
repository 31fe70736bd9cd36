internal import FlaskPrimitives

/// Reads a dictionary from JSON text, of any depth and with constant stack.
///
/// Of keys that stand twice in an object the last counts. Complexity: linear.
struct JSONTextReader {
  private var scanner: JSONScanner
  private let isMarked: Bool
  private var levels: [ReadLevel] = []

  /// The dictionary that the text is.
  static func branch(from text: String, isMarked: Bool) throws(JSONError) -> Branch {
    var reader = JSONTextReader(scanner: JSONScanner(Array(text.utf8)), isMarked: isMarked)
    guard let branch = try reader.read()?.branch, case .table = branch.content else {
      throw .broken("not an object", offset: 0)
    }
    return branch
  }

  private mutating func read() throws(JSONError) -> DictValue? {
    var finished: DictValue?
    while let token = try scanner.next() {
      switch token {
      case .beginObject: levels.append(ReadLevel(isTable: true, offset: scanner.offset - 1))
      case .beginArray: levels.append(ReadLevel(isTable: false, offset: scanner.offset - 1))
      case .endObject, .endArray:
        finished = try levels.popLast().map { (level) throws(JSONError) in try value(of: level) }
      case .key(let key): levels[levels.count - 1].key = key
      case .string(let text): finished = .string(text)
      case .number(let literal): finished = try number(literal)
      case .bool(let truth): finished = .bool(truth)
      case .null: finished = .null
      }
      guard let value = finished, let last = levels.indices.last else { continue }
      levels[last].append(value)
      finished = nil
    }
    return finished
  }

  /// A number without fraction and exponent is an integer if it fits into one.
  private func number(_ literal: String) throws(JSONError) -> DictValue {
    if let integer = Int64(literal) { return .integer(integer) }
    if let integer = UInt64(literal) { return .unsigned(integer) }
    guard let number = Double(literal), number.isFinite else {
      throw .broken("number out of range", offset: scanner.offset)
    }
    return .double(number)
  }

  private func value(of level: ReadLevel) throws(JSONError) -> DictValue {
    guard isMarked, level.isTable else { return level.value }
    var table: [String: DictValue] = [:]
    for (key, value) in level.table {
      if let key = JSONTextMark.unescaped(key: key) {
        table[key] = value
      } else if level.table.count == 1, case .string(let content) = value,
        let marked = JSONTextMark.value(name: key, content: content)
      {
        return marked
      } else {
        throw .broken("not a marked value", offset: level.offset)
      }
    }
    return .branch(Branch(.table(table)))
  }
}

/// An object or array that is being read.
private struct ReadLevel {
  let isTable: Bool
  let offset: Int
  var key = ""
  var list: [DictValue] = []
  var table: [String: DictValue] = [:]

  var value: DictValue { .branch(Branch(isTable ? .table(table) : .list(list))) }

  mutating func append(_ value: DictValue) {
    if isTable { table[key] = value } else { list.append(value) }
  }
}
