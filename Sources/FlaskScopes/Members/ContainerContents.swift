/// The content of an optional.
struct OptionalContent<Member: Sendable>: Membership {
  typealias Container = Member?

  var identity: AnyHashable { AnyHashable(true) }
  static var isExchangeable: Bool { Member.self is any Identifiable.Type }

  func find(in container: Member?, near node: MemberNode) -> Found<Member>? { container.map { ($0, 0) } }

  func modify(
    _ container: inout Member?,
    near node: MemberNode,
    _ body: (inout Member) throws -> Void
  ) rethrows -> Bool {
    // The content of the optional is moved out before the change and moved back after it. So it has one owner, and is
    // changed without a copy.
    guard var content = container.take() else { return false }
    defer { container = content }
    try body(&content)
    return true
  }
}

/// Identifies the entry that a dictionary has for a key.
struct DictionaryEntry<Key: Hashable & Sendable, Member: Sendable>: Membership {
  typealias Container = [Key: Member]

  let key: Key

  var identity: AnyHashable { AnyHashable(key) }

  func find(in container: [Key: Member], near node: MemberNode) -> Found<Member>? {
    container[key].map { ($0, 0) }
  }

  func modify(
    _ container: inout [Key: Member],
    near node: MemberNode,
    _ body: (inout Member) throws -> Void
  ) rethrows -> Bool {
    guard let index = container.index(forKey: key) else { return false }
    try body(&container.values[index])
    return true
  }
}
