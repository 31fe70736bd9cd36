extension StateChanges: CustomStringConvertible {
  /// One line `- key: value` for the earlier and one `+ key: value` for the later value of each key that differs.
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
      if let value: Any = anyValue(of: key, in: old) { lines.append("- \(name)\(Self.text(of: value))") }
      if let value: Any = anyValue(of: key, in: new) { lines.append("+ \(name)\(Self.text(of: value))") }
    }
    return lines.joined(separator: "\n")
  }

  private func anyValue(of key: String, in state: State) -> Any? {
    withUnsafePointer(to: state) { state in
      switch layout.lookup(key) {
      case .key(let key): layout.value(of: key, in: state)
      case .nested(let under, let rest): layout.nestedValue(under: under, rest: rest, in: state)
      case .unknown: nil
      }
    }
  }

  /// The value as text, strings quoted, optionals by their content.
  private static func text(of value: Any) -> String {
    if let content = value as? any OptionalContent {
      return content.content.map(text(of:)) ?? "nil"
    }
    if let text = value as? String { return text.debugDescription }
    return String(describing: value)
  }
}

/// An optional whose type is known only at run time.
private protocol OptionalContent {
  var content: Any? { get }
}

extension Optional: OptionalContent {
  fileprivate var content: Any? { self }
}
