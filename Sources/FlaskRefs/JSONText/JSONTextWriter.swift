internal import FlaskPrimitives

/// Writes a dictionary as JSON text, sorted by key.
///
/// Foundation's writer is not used, since it is recursive, and does not preserve the types of numbers.
struct JSONTextWriter {
  private let usesMarks: Bool
  private var bytes: [UInt8] = []
  private var lacksMarks = false

  /// Returns the JSON text. It contains marks only if JSON cannot represent a value without a mark.
  static func text(of branch: Branch) -> (text: String, isMarked: Bool) {
    var plain = JSONTextWriter(usesMarks: false)
    plain.write(branch)
    guard plain.lacksMarks else { return (String(decoding: plain.bytes, as: UTF8.self), false) }
    var marked = JSONTextWriter(usesMarks: true)
    marked.write(branch)
    return (String(decoding: marked.bytes, as: UTF8.self), true)
  }

  private init(usesMarks: Bool) { self.usesMarks = usesMarks }

  private mutating func write(_ root: Branch) {
    var levels = [WrittenLevel(root)]
    bytes.append(levels[0].opening)
    while let last = levels.indices.last, usesMarks || !lacksMarks {
      let index = levels[last].next
      guard index < levels[last].values.count else {
        bytes.append(levels.removeLast().closing)
        continue
      }
      levels[last].next += 1
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      if let keys = levels[last].keys {
        write(text: usesMarks ? JSONTextMark.escaped(key: keys[index]) : keys[index])
        bytes.append(UInt8(ascii: ":"))
      }
      let value = levels[last].values[index]
      if let branch = value.branch {
        levels.append(WrittenLevel(branch))
        bytes.append(levels[last + 1].opening)
      } else {
        write(leaf: value)
      }
    }
  }

  private mutating func write(leaf: DictValue) {
    switch leaf {
    case .null: write(word: "null")
    case .bool(let value): write(word: value ? "true" : "false")
    case .integer(let value): write(word: String(value))
    case .unsigned(let value): write(word: String(value))
    case .double(let value) where value.isFinite: write(word: value.description)
    case .string(let value): write(text: value)
    default:
      guard usesMarks else {
        lacksMarks = true
        return
      }
      let mark = JSONTextMark(of: leaf)
      bytes.append(UInt8(ascii: "{"))
      write(text: mark.name)
      bytes.append(UInt8(ascii: ":"))
      write(text: mark.content)
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private mutating func write(word: String) { bytes.append(contentsOf: word.utf8) }

  private mutating func write(text: String) { JSONText.append(text, to: &bytes) }
}

/// A branch that is being written, and the index of its next value.
private struct WrittenLevel {
  let keys: [String]?
  let values: [DictValue]
  var next = 0

  init(_ branch: Branch) {
    (keys, values) = branch.ordered
  }

  var opening: UInt8 { keys == nil ? UInt8(ascii: "[") : UInt8(ascii: "{") }
  var closing: UInt8 { keys == nil ? UInt8(ascii: "]") : UInt8(ascii: "}") }
}
