extension StateChanges: CustomStringConvertible {
  /// For each key that differs a line `- key: value` with the earlier value, and a line `+ key: value` with the later
  /// value.
  ///
  /// Keys that have changed keys below them are left out, texts are quoted, and a line is missing where the key is:
  ///
  /// ```text
  /// - info.nest.foo: "bar"
  /// + info.nest.foo: "mutated"
  /// ```
  public var description: String {
    let keys = keys
    var lines: [String] = []
    for (index, key) in keys.enumerated() {
      if index + 1 < keys.count, key.isEmpty || keys[index + 1].hasPrefix(key + ".") { continue }
      let name = key.isEmpty ? "" : key + ": "
      let isSecret = layout.isSecret(key, in: values.old) || layout.isSecret(key, in: values.new)
      for (sign, value) in zip("-+", anyValues(of: key)) {
        if let value { lines.append("\(sign) \(name)\(isSecret ? SafeText.mark : Self.text(of: value))") }
      }
    }
    return lines.joined(separator: "\n")
  }

  /// Returns a value as text: strings in quotes, and optionals as their content.
  private static func text(of value: Any) -> String {
    if let content = value as? any AnyOptional {
      return content.content.map(text(of:)) ?? "nil"
    }
    if let text = value as? String { return text.debugDescription }
    return SafeText.of(value)
  }
}
