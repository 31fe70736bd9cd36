/// Prepares a state and its changes for an encoder, without secrets.
package struct OutgoingState: Sendable {
  private let rules: RedactionRules

  /// - Parameter redactions: the rules for secrets, in addition to the mark `Redacted`.
  package init(redacting redactions: [Redaction]) { rules = RedactionRules(redactions) }

  /// The state, with a mark in place of each secret.
  package func state(_ state: some Encodable) -> any Encodable { RedactedValue(state, rules) }

  /// The differences of two states, as JSON Patch (RFC 6902) with a `test` before each operation that replaces or
  /// removes; `nil` if only secrets differ, or nothing.
  ///
  /// - Throws: the errors that the states throw when they are encoded.
  package func patch<State: Encodable>(from old: State, to new: State) throws -> (any Encodable)? {
    let changes = try EncodedChanges(from: old, to: new, redacting: rules)
    return changes.isEmpty ? nil : EncodedPatch(changes: changes, rules: rules, isTested: true)
  }
}
