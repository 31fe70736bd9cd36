/// A member that was found in its container, and where.
typealias Found<Member> = (member: Member, place: Int)

/// Which member of a container a scope leads to: the content of an optional, an entry of a dictionary, an element.
protocol Membership<Container, Member>: Sendable {
  associatedtype Container: Sendable
  associatedtype Member: Sendable
  /// Tells it from the other members of its container.
  var identity: AnyHashable { get }

  /// The member, and its place, which is looked for where `hint` says first; `nil` if it is not there.
  func find(in container: Container, near hint: PlaceHint) -> Found<Member>?

  /// Lends the member to `body`, in place; false, and `body` is not called, if it is not there.
  func modify(
    _ container: inout Container,
    near hint: PlaceHint,
    _ body: (inout Member) throws -> Void
  ) rethrows -> Bool

  /// Calls `body` with each of some members that may differ between two versions of their container.
  static func forEachChange(
    of entries: [MemberEntry<Self>],
    from old: Container,
    to new: Container,
    _ body: (MemberEntry<Self>, _ old: Found<Member>?, _ new: Found<Member>?) -> Void
  )
}

/// Where a member may be: at its place in the last commit that was told, or in the one before.
struct PlaceHint {
  var last = -1
  var earlier = -1
}

extension Membership {
  static func forEachChange(
    of entries: [MemberEntry<Self>],
    from old: Container,
    to new: Container,
    _ body: (MemberEntry<Self>, _ old: Found<Member>?, _ new: Found<Member>?) -> Void
  ) {
    for entry in entries {
      body(
        entry,
        entry.membership.find(in: old, near: entry.hint),
        entry.membership.find(in: new, near: entry.hint)
      )
    }
  }
}

/// The content of an optional.
struct OptionalContent<Member: Sendable>: Membership {
  typealias Container = Member?

  var identity: AnyHashable { AnyHashable(true) }

  func find(in container: Member?, near hint: PlaceHint) -> Found<Member>? { container.map { ($0, 0) } }

  func modify(
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
struct DictionaryEntry<Key: Hashable & Sendable, Member: Sendable>: Membership {
  typealias Container = [Key: Member]

  let key: Key

  var identity: AnyHashable { AnyHashable(key) }

  func find(in container: [Key: Member], near hint: PlaceHint) -> Found<Member>? {
    container[key].map { ($0, 0) }
  }

  func modify(
    _ container: inout [Key: Member],
    near hint: PlaceHint,
    _ body: (inout Member) throws -> Void
  ) rethrows -> Bool {
    guard let index = container.index(forKey: key) else { return false }
    try body(&container.values[index])
    return true
  }
}

/// The element of a collection with an identity. If several have it, it is one of them.
struct IdentifiedElement<Elements: MutableCollection & RandomAccessCollection & Sendable>: Membership
where Elements.Element: Identifiable & Sendable, Elements.Element.ID: Sendable {
  typealias Container = Elements
  typealias Member = Elements.Element

  let id: Elements.Element.ID

  var identity: AnyHashable { AnyHashable(id) }

  func find(in container: Elements, near hint: PlaceHint) -> Found<Member>? {
    guard let index = index(in: container, near: hint) else { return nil }
    return (container[index], container.distance(from: container.startIndex, to: index))
  }

  func modify(
    _ container: inout Elements,
    near hint: PlaceHint,
    _ body: (inout Member) throws -> Void
  ) rethrows -> Bool {
    guard let index = index(in: container, near: hint) else { return false }
    try body(&container[index])
    return true
  }

  private func index(in container: Elements, near hint: PlaceHint) -> Elements.Index? {
    for place in [hint.last, hint.earlier] where isMember(of: container, at: place) {
      return container.index(container.startIndex, offsetBy: place)
    }
    return container.firstIndex { $0.id == id }
  }

  private func isMember(of container: Elements, at place: Int) -> Bool {
    guard place >= 0, place < container.count else { return false }
    return container[container.index(container.startIndex, offsetBy: place)].id == id
  }
}

extension IdentifiedElement {
  /// Passes over elements that lie where they lay with the same bits; looks for all others in one pass.
  static func forEachChange(
    of entries: [MemberEntry<Self>],
    from old: Elements,
    to new: Elements,
    _ body: (MemberEntry<Self>, _ old: Found<Member>?, _ new: Found<Member>?) -> Void
  ) {
    let changed = possiblyChanged(of: entries, from: old, to: new)
    if changed.isEmpty { return }
    let (before, after) = (places(of: changed, in: old), places(of: changed, in: new))
    func found(_ place: Int?, in elements: Elements) -> Found<Member>? {
      place.map { (elements[elements.index(elements.startIndex, offsetBy: $0)], $0) }
    }
    for (number, entry) in changed.enumerated() {
      body(entry, found(before[number], in: old), found(after[number], in: new))
    }
  }

  private static func possiblyChanged(
    of entries: [MemberEntry<Self>],
    from old: Elements,
    to new: Elements
  ) -> [MemberEntry<Self>] {
    let changed = old.withContiguousStorageIfAvailable { old in
      new.withContiguousStorageIfAvailable { new in
        let (old, new) = (UnsafeRawBufferPointer(old), UnsafeRawBufferPointer(new))
        if old.baseAddress == new.baseAddress && old.count == new.count { return [] as [MemberEntry<Self>] }
        let stride = MemoryLayout<Member>.stride
        return entries.filter { entry in
          guard let place = entry.placeAtLastCommit else { return true }
          let bytes = place * stride..<(place + 1) * stride
          return bytes.upperBound > min(old.count, new.count) || !haveSameBits(old, new, bytes)
        }
      }
    }
    return changed.flatMap { $0 } ?? entries
  }

  /// Word by word: a loop that knows nothing of the type.
  private static func haveSameBits(
    _ a: UnsafeRawBufferPointer,
    _ b: UnsafeRawBufferPointer,
    _ bytes: Range<Int>
  ) -> Bool {
    var offset = bytes.lowerBound
    while offset + 8 <= bytes.upperBound {
      if a.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        != b.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      {
        return false
      }
      offset += 8
    }
    while offset < bytes.upperBound {
      if a[offset] != b[offset] { return false }
      offset += 1
    }
    return true
  }

  /// Of each entry the place of its element; one that is not where it was is looked for with all others in one pass.
  private static func places(of entries: [MemberEntry<Self>], in elements: Elements) -> [Int?] {
    var places: [Int?] = []
    var missing: [Member.ID: [Int]] = [:]
    for (number, entry) in entries.enumerated() {
      let place = entry.hint.last
      let isThere = entry.membership.isMember(of: elements, at: place)
      places.append(isThere ? place : nil)
      if !isThere { missing[entry.membership.id, default: []].append(number) }
    }
    if missing.isEmpty { return places }
    for (place, element) in elements.enumerated() {
      guard let numbers = missing.removeValue(forKey: element.id) else { continue }
      for number in numbers { places[number] = place }
      if missing.isEmpty { break }
    }
    return places
  }
}
