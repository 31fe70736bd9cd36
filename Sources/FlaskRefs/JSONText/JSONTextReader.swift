/// Reads a dictionary from JSON text (RFC 8259), of any depth and with constant stack.
///
/// Of keys that stand twice in an object the last counts. Complexity: linear.
struct JSONTextReader {
  private var scanner: JSONTextScanner
  private let isMarked: Bool
  private var levels: [ReadLevel] = []

  /// The dictionary that the text is.
  static func branch(from text: String, isMarked: Bool) throws(JSONTextError) -> Branch {
    var reader = JSONTextReader(scanner: JSONTextScanner(text), isMarked: isMarked)
    let value = try reader.read()
    guard let branch = value.branch, case .table = branch.content else {
      throw JSONTextError(reason: "not an object", offset: 0)
    }
    return branch
  }

  private init(scanner: JSONTextScanner, isMarked: Bool) {
    self.scanner = scanner
    self.isMarked = isMarked
  }

  private mutating func read() throws(JSONTextError) -> DictValue {
    while true {
      var finished = try readValue()
      while true {
        guard let last = levels.indices.last else {
          if let value = finished {
            try scanner.expectEnd()
            return value
          }
          break
        }
        if let value = finished { levels[last].append(value) }
        if scanner.skip(levels[last].closing) {
          finished = try close()
          continue
        }
        if !levels[last].isEmpty { try scanner.expect(UInt8(ascii: ",")) }
        if levels[last].isTable {
          levels[last].key = try scanner.text()
          try scanner.expect(UInt8(ascii: ":"))
        }
        break
      }
    }
  }

  /// The value that comes next; `nil` when it is one with parts, which is put on `levels`.
  private mutating func readValue() throws(JSONTextError) -> DictValue? {
    if scanner.skip(UInt8(ascii: "{")) {
      levels.append(ReadLevel(isTable: true, offset: scanner.offset - 1))
      return nil
    }
    if scanner.skip(UInt8(ascii: "[")) {
      levels.append(ReadLevel(isTable: false, offset: scanner.offset - 1))
      return nil
    }
    return try scanner.leaf()
  }

  private mutating func close() throws(JSONTextError) -> DictValue? {
    guard let level = levels.popLast() else { return nil }
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
        throw JSONTextError(reason: "not a marked value", offset: level.offset)
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
  private(set) var list: [DictValue] = []
  private(set) var table: [String: DictValue] = [:]

  init(isTable: Bool, offset: Int) {
    self.isTable = isTable
    self.offset = offset
  }

  var isEmpty: Bool { list.isEmpty && table.isEmpty }
  var closing: UInt8 { isTable ? UInt8(ascii: "}") : UInt8(ascii: "]") }
  var value: DictValue { .branch(Branch(isTable ? .table(table) : .list(list))) }

  mutating func append(_ value: DictValue) {
    if isTable { table[key] = value } else { list.append(value) }
  }
}
