/// What has changed in a state, as a JSON Patch with the old values beside the new ones.
struct EncodedPatch: Encodable {
  let changes: EncodedChanges
  let rules: RedactionRules

  func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for operation in changes.operations {
      try container.encode(
        WrittenOperation(
          op: operation.name,
          path: operation.path,
          value: operation.new.map { RedactedValue($0, rules) },
          old: operation.old.map { RedactedValue($0, rules) }
        )
      )
    }
  }
}
