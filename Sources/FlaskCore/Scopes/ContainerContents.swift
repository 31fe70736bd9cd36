/// The content of an optional.
package struct OptionalContent<Member: Sendable>: Membership {
  package init() {}

  package typealias Container = Member?

  package var identity: AnyHashable { AnyHashable(true) }

  package func find(in container: Member?, near hint: PlaceHint) -> Found<Member>? {
    container.map { ($0, 0) }
  }

  package func modify(
    _ container: inout Member?,
    near hint: PlaceHint,
    _ body: (inout Member) throws -> Void
  ) rethrows -> Bool {
    // Taken out, so that what it refers to has no second owner, and is not copied.
    guard var content = container.take() else { return false }
    defer { container = content }
    try body(&content)
    return true
  }
}

/// The entry of a dictionary with a key.
package struct DictionaryEntry<Key: Hashable & Sendable, Member: Sendable>: Membership {
  package typealias Container = [Key: Member]

  let key: Key

  package init(key: Key) {
    self.key = key
  }

  package var identity: AnyHashable { AnyHashable(key) }

  package func find(in container: [Key: Member], near hint: PlaceHint) -> Found<Member>? {
    container[key].map { ($0, 0) }
  }

  package func modify(
    _ container: inout [Key: Member],
    near hint: PlaceHint,
    _ body: (inout Member) throws -> Void
  ) rethrows -> Bool {
    guard let index = container.index(forKey: key) else { return false }
    try body(&container.values[index])
    return true
  }
}
