internal import FlaskPrimitives

/// One case of an enum, given by its constructor, such as `Screen.post`. Payloads are read by reflection. A mix copies
/// the payload, and calls the constructor with the changed copy.
///
/// The case is not known at first, since a constructor is an opaque closure. It is found with the first value whose
/// payload has the right type: the constructor is called with this payload. If the result is of the same case as the
/// value, this is the case of the constructor.
final class EnumCase<Root: Sendable, Payload: Sendable>: Sendable {
  private let embed: @Sendable (Payload) -> Root
  /// The case, once it is known.
  private let known = Lock<EnumCaseIdentity?>(nil)
  private let other = Lock<Set<EnumCaseIdentity>>([])

  init(_ embed: @escaping @Sendable (Payload) -> Root) { self.embed = embed }

  /// Identifies the case among all cases of the enum; `nil` until a payload was read.
  var identity: EnumCaseIdentity? { known.withLock { $0 } }

  /// The payload, if a value is of this case.
  func payload(of root: Root) -> Payload? {
    guard let found = EnumPayload.read(Payload.self, of: root) else { return nil }
    if let identity { return identity == found.case ? found.payload : nil }
    // Another case with a payload of this type is remembered, so that the constructor is called once for each case.
    if other.withLock({ $0.contains(found.case) }) { return nil }
    guard EnumPayload.read(Payload.self, of: embed(found.payload))?.case == found.case else {
      other.withLock { _ = $0.insert(found.case) }
      return nil
    }
    known.withLock { $0 = found.case }
    return found.payload
  }

  func modify(_ root: inout Root, _ body: (inout Payload) throws -> Void) rethrows -> Bool {
    guard var payload = payload(of: root) else { return false }
    defer { root = embed(payload) }
    try body(&payload)
    return true
  }
}

/// The payload of a case of an enum.
struct CaseContent<Container: Sendable, Member: Sendable>: Membership {
  let enumCase: EnumCase<Container, Member>

  static var isExchangeable: Bool { Member.self is any Identifiable.Type }
  var identity: AnyHashable { AnyHashable(enumCase.identity) }
  var step: PartStep { .payload(identity) }

  func find(in container: Container, near node: MemberNode) -> Found<Member>? {
    enumCase.payload(of: container).map { ($0, 0) }
  }

  func modify(
    _ container: inout Container,
    near node: MemberNode,
    _ body: (inout Member) throws -> Void
  ) rethrows -> Bool {
    try enumCase.modify(&container, body)
  }
}

/// The payload of a case of an optional enum.
struct OptionalCaseContent<Root: Sendable, Member: Sendable>: Membership {
  typealias Container = Root?

  let enumCase: EnumCase<Root, Member>

  static var isExchangeable: Bool { Member.self is any Identifiable.Type }
  var identity: AnyHashable { AnyHashable(enumCase.identity) }
  var step: PartStep { .payload(identity) }

  func find(in container: Root?, near node: MemberNode) -> Found<Member>? {
    container.flatMap(enumCase.payload(of:)).map { ($0, 0) }
  }

  func modify(
    _ container: inout Root?,
    near node: MemberNode,
    _ body: (inout Member) throws -> Void
  ) rethrows -> Bool {
    guard var root = container.take() else { return false }
    defer { container = root }
    return try enumCase.modify(&root, body)
  }
}
