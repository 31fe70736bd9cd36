/// Writes JSON, one value after the other, without building a tree first: a busy flux makes many lines.
///
/// What is special to HTML is escaped, so that a line may stand inside a `script` element as it is.
struct JSONText {
  private(set) var text = ""
  /// Whether a value or a member was written at this level, and the next one needs a comma.
  private var needsComma = false

  mutating func object(_ write: (inout JSONText) -> Void) { group("{", "}", write) }

  mutating func array(_ write: (inout JSONText) -> Void) { group("[", "]", write) }

  mutating func name(_ name: StaticString) {
    separate()
    text += "\"\(name)\":"
    needsComma = false
  }

  mutating func value(_ string: String?) {
    separate()
    if let string { JSONText.append(string, to: &text) } else { text += "null" }
    needsComma = true
  }

  mutating func value(_ number: Int) {
    separate()
    text += String(number)
    needsComma = true
  }

  mutating func member(_ name: StaticString, _ string: String?) {
    guard let string else { return }
    self.name(name)
    value(string)
  }

  mutating func member(_ name: StaticString, _ number: Int?) {
    guard let number else { return }
    self.name(name)
    value(number)
  }

  private mutating func group(_ open: String, _ close: String, _ write: (inout JSONText) -> Void) {
    separate()
    text += open
    needsComma = false
    write(&self)
    text += close
    needsComma = true
  }

  private mutating func separate() { if needsComma { text += "," } }

  /// Adds a text with quotes, for people and files: what is special to JSON alone is escaped.
  static func appendPlain(_ string: String, to text: inout String) {
    append(string, to: &text, isForHTML: false)
  }

  private static func append(_ string: String, to text: inout String, isForHTML: Bool = true) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "<" where isForHTML: text += "\\u003c"
      case ">" where isForHTML: text += "\\u003e"
      case "&" where isForHTML: text += "\\u0026"
      case "\u{2028}" where isForHTML: text += "\\u2028"
      case "\u{2029}" where isForHTML: text += "\\u2029"
      default:
        if scalar.value < 0x20 || scalar.value == 0x7F {
          let hex = String(scalar.value, radix: 16)
          text += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
        } else {
          text.unicodeScalars.append(scalar)
        }
      }
    }
    text += "\""
  }
}
