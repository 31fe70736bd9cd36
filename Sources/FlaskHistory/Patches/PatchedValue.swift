/// One value of a patch: the old value and its replacement.
public struct PatchedValue: Sendable, CustomStringConvertible {
  /// The path of the key, with dots between the keys. An element of an array is named by its offset, an entry by its
  /// key, and an element of `Entities` by its identity.
  public let key: String
  // Invariant: the value is constant and comes from a state. States are `Sendable`, with everything in them.
  /// The value before the change; `nil` if there was none. For a long string it is only the piece that was replaced.
  public nonisolated(unsafe) let old: Any?
  /// The value after the change; `nil` if there is none. For a long string it is only the piece that is the
  /// replacement.
  public nonisolated(unsafe) let new: Any?

  private static let writer = ValueText(rules: RedactionRules([]))

  /// The name of an entry or of an element with an identity: its key as text, without secrets.
  static func name(of key: Any) -> String {
    let key = type(of: key) == AnyHashable.self ? (key as? AnyHashable)?.base ?? key : key
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

  /// The path of a key that is nested in another key.
  static func key(_ parent: String, _ name: String) -> String {
    parent.isEmpty ? name : name.isEmpty ? parent : parent + "." + name
  }
}
