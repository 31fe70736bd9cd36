/// What has changed in a state, as a JSON Patch with the old values beside the new ones.
struct EncodedPatch: Encodable {
  private struct Operation: Encodable {
    let op: String
    let path: String
    var value: RedactedValue?
    var old: RedactedValue?
  }

  private let changes: EncodedChanges
  private let rules: RedactionRules

  init(_ changes: EncodedChanges, _ rules: RedactionRules) {
    self.changes = changes
    self.rules = rules
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for operation in changes.operations {
      switch operation {
      case .add(let path, let value):
        try container.encode(Operation(op: "add", path: path, value: RedactedValue(value, rules)))
      case .remove(let path, let value):
        try container.encode(Operation(op: "remove", path: path, old: RedactedValue(value, rules)))
      case .replace(let path, let old, let new):
        try container.encode(
          Operation(
            op: "replace",
            path: path,
            value: RedactedValue(new, rules),
            old: RedactedValue(old, rules)
          )
        )
      }
    }
  }
}
