/// Paths into a JSON document (RFC 6901).
enum JSONPointer {
  static func path(_ parent: String, _ name: String) -> String {
    var path = parent + "/"
    for scalar in name.unicodeScalars {
      switch scalar {
      case "~": path += "~0"
      case "/": path += "~1"
      default: path.unicodeScalars.append(scalar)
      }
    }
    return path
  }

  static func path(_ parent: String, _ index: Int) -> String { "\(parent)/\(index)" }

  /// The names of a path; `nil` if the text is no path.
  static func tokens(_ path: String) -> [String]? {
    if path.isEmpty { return [] }
    guard path.utf8.first == UInt8(ascii: "/") else { return nil }
    // The text is split by Unicode scalars, since a combining mark after a slash and the slash are one `Character`.
    return path.unicodeScalars.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
      .map { String(String.UnicodeScalarView($0)) }
      .map { unescaped($0) }
  }

  private static func unescaped(_ token: String) -> String {
    guard token.utf8.contains(UInt8(ascii: "~")) else { return token }
    var text = String.UnicodeScalarView()
    var isEscape = false
    for scalar in token.unicodeScalars {
      if isEscape {
        text.append(scalar == "1" ? "/" : "~")
        isEscape = false
      } else if scalar == "~" {
        isEscape = true
      } else {
        text.append(scalar)
      }
    }
    return String(text)
  }
}
