internal import FlaskEntities

extension Dictionary: ChangedByContent, KeyedContainer {
  static func change(_ old: UnsafeRawPointer, _ new: UnsafeRawPointer, _ leftOut: LeftOut?) -> ValueChange? {
    let changes = EntryChanges(
      from: old.assumingMemoryBound(to: Self.self).pointee,
      to: new.assumingMemoryBound(to: Self.self).pointee
    )
    return KeyedChange<Self>(
      removed: changes.removals.map { ($0.key, $0.value) },
      added: changes.insertions.map { ($0.key, $0.value) },
      updated: changes.updates.map { ($0.key, $0.oldValue, $0.value) },
      leavingOut: leftOut
    )
  }

  func member(_ key: Key) -> Value? { self[key] }
  mutating func put(_ member: Value, at key: Key) { self[key] = member }
  mutating func drop(_ key: Key) { removeValue(forKey: key) }

  mutating func modify(
    _ key: Key,
    _ body: (UnsafeMutableRawPointer) throws(PatchMismatch) -> ValueChange?
  ) throws(PatchMismatch) -> ValueChange? {
    guard let index = index(forKey: key) else { return nil }
    return try withUnsafeMutablePointer(to: &values[index]) { value throws(PatchMismatch) in
      try body(UnsafeMutableRawPointer(value))
    }
  }
}

extension Set: ChangedByContent, KeyedContainer {
  static func change(_ old: UnsafeRawPointer, _ new: UnsafeRawPointer, _ leftOut: LeftOut?) -> ValueChange? {
    let a = old.assumingMemoryBound(to: Self.self)
    let b = new.assumingMemoryBound(to: Self.self)
    let change = KeyedChange<Self>(
      removed: a.pointee.filter { !b.pointee.contains($0) }.map { ($0, ()) },
      added: b.pointee.filter { !a.pointee.contains($0) }.map { ($0, ()) }
    )
    return change ?? ReplacedValue<Self>(old, new)
  }

  func member(_ key: Element) -> Void? { contains(key) ? () : nil }
  mutating func put(_ member: Void, at key: Element) { insert(key) }
  mutating func drop(_ key: Element) { remove(key) }

  static func listed(_ key: Element, _ member: Void, under parent: String) -> (key: String, value: Any) {
    (parent, key)
  }
}

extension Entities: ChangedByContent, KeyedContainer {
  static func change(_ old: UnsafeRawPointer, _ new: UnsafeRawPointer, _ leftOut: LeftOut?) -> ValueChange? {
    let changes = ElementChanges(
      from: old.assumingMemoryBound(to: Self.self).pointee,
      to: new.assumingMemoryBound(to: Self.self).pointee
    )
    return KeyedChange<Self>(changes, leavingOut: leftOut)
  }

  static var hasOrder: Bool { true }
  func member(_ key: Element.ID) -> Element? { self[id: key] }
  mutating func put(_ member: Element, at key: Element.ID) { append(member) }
  mutating func drop(_ key: Element.ID) { remove(id: key) }

  mutating func modify(
    _ key: Element.ID,
    _ body: (UnsafeMutableRawPointer) throws(PatchMismatch) -> ValueChange?
  ) throws(PatchMismatch) -> ValueChange? {
    guard var element = self[id: key] else { return nil }
    let made = try withUnsafeMutablePointer(to: &element) { element throws(PatchMismatch) in
      try body(UnsafeMutableRawPointer(element))
    }
    if made != nil { self[id: key] = element }
    return made
  }

  mutating func arrange(_ places: [(key: Element.ID, offset: Int)]) {
    let coming = places.compactMap { key, offset in remove(id: key).map { (element: $0, offset: offset) } }
    for place in coming.sorted(by: { $0.offset < $1.offset }) {
      insert(place.element, at: Swift.min(place.offset, count))
    }
  }
}
