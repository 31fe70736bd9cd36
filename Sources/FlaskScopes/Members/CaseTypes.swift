internal import FlaskPrimitives

/// The enums whose payloads can be read, found once for each enum and payload.
final class CaseTypes: Sendable {
  private struct Pair: Hashable {
    let root: ObjectIdentifier
    let payload: ObjectIdentifier
  }

  private let known = Lock<[Pair: Bool]>([:])

  func canRead<Root, Payload>(_ payload: Payload.Type, of root: Root.Type) -> Bool {
    let pair = Pair(root: ObjectIdentifier(root), payload: ObjectIdentifier(payload))
    if let found = known.withLock({ $0[pair] }) { return found }
    let found = EnumPayload.canRead(payload, of: root)
    known.withLock { $0[pair] = found }
    return found
  }
}

extension Flux {
  var caseTypes: CaseTypes { attachment { _ in CaseTypes() } }
}
