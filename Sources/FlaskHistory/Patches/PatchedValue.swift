/// One value of a patch: the old one, and its replacement.
public struct PatchedValue: Sendable, CustomStringConvertible {
  /// The key, nested ones with dots: of an element with its offset, of an entry with its key.
  public let key: String
  // Invariant: constant values of states, which are `Sendable`, with everything in them.
  /// The value before; `nil` if there was none. Of a text, only the piece that was replaced.
  public nonisolated(unsafe) let old: Any?
  /// The value after; `nil` if there is none. Of a text, only the piece that it was replaced by.
  public nonisolated(unsafe) let new: Any?

  private static let writer = ValueText(rules: RedactionRules([]))

  /// The name of an entry or of an element with an identity: its key as text, without secrets.
  static func name(of key: Any) -> String {
    let isOurs = writer.isKnown(type(of: key)) || writer.rules.isSecret(type(of: key))
    let isText = key is any StringProtocol || key is any CustomStringConvertible && !isOurs
    return isText ? "\(key)" : writer.text(of: key)
  }

  /// A line `- key: value` for the old value, and a line `+ key: value` for the new one.
  public var description: String {
    let name = key.isEmpty ? "" : key + ": "
    return [("-", old), ("+", new)].compactMap { sign, value in
      value.map { "\(sign) \(name)\(PatchedValue.writer.text(of: $0))" }
    }
    .joined(separator: "\n")
  }

  /// A key below another one.
  static func key(_ parent: String, _ name: String) -> String {
    parent.isEmpty ? name : name.isEmpty ? parent : parent + "." + name
  }
}
