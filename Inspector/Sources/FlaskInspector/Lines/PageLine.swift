internal import Foundation

/// A line as the page reads it: JSON that may stand inside a `script` element as it is.
enum PageLine {
  static func text(_ line: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Nothing in a line can't be encoded.
    guard let json = try? encoder.encode(line) else { return "null" }
    return escaped(String(decoding: json, as: UTF8.self))
  }

  /// What is special to HTML, or ends a line of a script, stands in texts alone, where it may be written by its number.
  private static func escaped(_ json: String) -> String {
    var text = ""
    for scalar in json.unicodeScalars {
      switch scalar {
      case "<": text += "\\u003c"
      case ">": text += "\\u003e"
      case "&": text += "\\u0026"
      case "\u{2028}": text += "\\u2028"
      case "\u{2029}": text += "\\u2029"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

/// A list of different things, as short lines have them.
struct PageList: Encodable, Sendable {
  private var elements: [@Sendable (inout any UnkeyedEncodingContainer) throws -> Void] = []

  /// Adds what there is; or nothing, which is `null`.
  mutating func add(_ element: (some Encodable & Sendable)?) { elements.append { try $0.encode(element) } }

  func encode(to encoder: any Encoder) throws {
    var container: any UnkeyedEncodingContainer = encoder.unkeyedContainer()
    for element in elements { try element(&container) }
  }
}

/// A key with its values, if these are known: `[path]`, `[path, old, new]`, or `[path, null, null, 1]` for a secret.
struct PageKey: Encodable, Sendable {
  let path: String
  var old: String?
  var new: String?
  var isRedacted = false

  func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode(path)
    if isRedacted {
      try container.encodeNil()
      try container.encodeNil()
      try container.encode(1)
    } else if old != nil || new != nil {
      try container.encode(old)
      try container.encode(new)
    }
  }
}
