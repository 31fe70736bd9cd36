internal import FlaskPrimitives

/// Reads a dictionary of any depth from JSON text, with constant stack.
///
/// If an object has a key twice, the last value counts. Complexity: linear.
struct JSONTextReader {
  private let isMarked: Bool

  /// The dictionary that the text is.
  static func branch(from text: String, isMarked: Bool) throws(JSONError) -> Branch {
    let reader = JSONTextReader(isMarked: isMarked)
    var scanner = JSONScanner(Array(text.utf8))
    let value = try scanner.read { (content, offset) throws(JSONError) in
      try reader.value(of: content, at: offset)
    }
    guard let branch = value.branch, case .table = branch.content else {
      throw .broken("not an object", offset: 0)
    }
    return branch
  }

  private func value(of content: JSONContent<DictValue>, at offset: Int) throws(JSONError) -> DictValue {
    switch content {
    case .list(let list): .branch(Branch(.list(list)))
    case .table(let table): try isMarked ? marked(table, at: offset) : .branch(Branch(.table(table)))
    case .string(let text): .string(text)
    case .number(let literal): try number(literal, at: offset)
    case .bool(let truth): .bool(truth)
    case .null: .null
    }
  }

  /// A number without fraction and exponent is an integer if an integer type can represent it.
  private func number(_ literal: String, at offset: Int) throws(JSONError) -> DictValue {
    if let integer = Int64(literal) { return .integer(integer) }
    if let integer = UInt64(literal) { return .unsigned(integer) }
    guard let number = Double(literal), number.isFinite else {
      throw .broken("number out of range", offset: offset)
    }
    return .double(number)
  }

  private func marked(_ table: [String: DictValue], at offset: Int) throws(JSONError) -> DictValue {
    var unescaped: [String: DictValue] = [:]
    for (key, value) in table {
      if let key = JSONTextMark.unescaped(key: key) {
        unescaped[key] = value
      } else if table.count == 1, case .string(let content) = value,
        let marked = JSONTextMark.value(name: key, content: content)
      {
        return marked
      } else {
        throw .broken("not a marked value", offset: offset)
      }
    }
    return .branch(Branch(.table(unescaped)))
  }
}
