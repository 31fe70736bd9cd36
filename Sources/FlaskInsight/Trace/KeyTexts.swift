extension AnySubstance {
  /// The number of the substance in records. It is unique in the process.
  public final var recordNumber: Int { subject.serial }
}

extension TypedSubstance where S: Sendable {
  /// Returns the keys of the present state, with their values as text in the form of a trace. Only keys without keys
  /// below them are returned, and no secret values. `new` is the value; `old` is `nil`.
  ///
  /// - Parameters:
  ///   - values: the keys whose values are wanted; for all other keys `new` is `nil`.
  ///   - redacting: the rules for secrets, in addition to the mark `Redacted`.
  public final func keyTexts(
    _ values: TracedValues = .all,
    redacting: [Redaction] = []
  ) -> [OperationRecord.Key] {
    let rules = RedactionRules(redacting)
    let writer = ValueText(rules: rules)
    let layout = subject.layout
    let keys = rules.keys(of: layout)
    return withUnsafePointer(to: state) { state in
      (0..<layout.keyCount).filter { keys.isLeaf[$0] }.map { key in
        let isSecret = keys.isSecret[key]
        let isShown = !isSecret && values.contains(key, of: layout)
        let value = isShown ? layout.value(of: key, in: UnsafeRawPointer(state)) : nil
        return OperationRecord.Key(
          path: keys.paths[key],
          old: nil,
          new: isShown ? value.map { writer.text(of: $0) } ?? "?" : nil,
          isRedacted: isSecret
        )
      }
    }
  }
}
