/// The changes of a state as a JSON Patch without secrets. The old value of an operation is a member of the operation
/// or, as the standard defines, of a `test` operation before it.
package struct EncodedPatch: Encodable {
  let changes: EncodedChanges
  let rules: RedactionRules
  let isTested: Bool

  package init(changes: EncodedChanges, rules: RedactionRules, isTested: Bool = false) {
    self.changes = changes
    self.rules = rules
    self.isTested = isTested
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for operation in changes.operations {
      let path = operation.path
      let old = operation.old.map { RedactedValue($0, rules) }
      if isTested, let old { try container.encode(WrittenOperation(op: "test", path: path, value: old)) }
      let new = operation.new.map { RedactedValue($0, rules) }
      try container.encode(
        WrittenOperation(op: operation.name, path: path, value: new, old: isTested ? nil : old)
      )
    }
  }
}
