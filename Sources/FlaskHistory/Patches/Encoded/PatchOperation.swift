/// One operation of a JSON Patch (RFC 6902). It also has the old value, so that it can be applied in both directions.
struct PatchOperation<Path, Value> {
  let path: Path
  /// The value that is removed or replaced; `nil` for an addition.
  let old: Value?
  /// The value that is inserted or assigned; `nil` for a removal.
  let new: Value?

  /// The name of the operation in the standard.
  var name: String { old == nil ? "add" : new == nil ? "remove" : "replace" }

  var inverted: PatchOperation { PatchOperation(path: path, old: new, new: old) }
}

extension PatchOperation: Sendable where Path: Sendable, Value: Sendable {}
extension PatchOperation: Hashable, Equatable where Path: Hashable, Value: Hashable {}

/// The encoded form of an operation.
struct WrittenOperation<Value: Encodable>: Encodable {
  let op: String
  let path: String
  var value: Value?
  var old: Value?
}
