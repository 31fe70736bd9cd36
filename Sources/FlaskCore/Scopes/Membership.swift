internal import FlaskDiff

/// A member that was found in its container, and where.
package typealias Found<Member> = (member: Member, place: Int)

/// Which member of a container a scope leads to: the content of an optional, an entry of a dictionary, an element.
package protocol Membership<Container, Member>: Sendable {
  associatedtype Container: Sendable
  associatedtype Member: Sendable
  /// Tells it from the other members of its container.
  var identity: AnyHashable { get }
  /// The hash of the identity.
  var identityHash: Int { get }

  /// The member, and its place, which is looked for where `hint` says first; `nil` if it is not there.
  func find(in container: Container, near hint: PlaceHint) -> Found<Member>?

  /// Lends the member to `body`, in place; false, and `body` is not called, if it is not there.
  func modify(
    _ container: inout Container,
    near hint: PlaceHint,
    _ body: (inout Member) throws -> Void
  ) rethrows -> Bool

  /// The member of a container where it lies; `nil` if it is not there.
  func member(in container: UnsafePointer<Container>, near hint: PlaceHint) -> Member?

  /// Calls `body` with each of some members that may differ between two versions of their container; or `updated`, if
  /// it is in both, and known to differ. The versions are borrowed from where they lie.
  static func forEachChange(
    of members: KnownMembers<Self>,
    from old: UnsafePointer<Container>,
    to new: UnsafePointer<Container>,
    _ body: (MemberEntry<Self>, _ old: Found<Member>?, _ new: Found<Member>?) -> Void,
    updated: (MemberEntry<Self>, _ old: UnsafePointer<Member>, _ new: UnsafePointer<Member>) -> Void
  )
}

/// Where a member may be: at its place in the last commit that was told, or in the one before.
package struct PlaceHint {
  var last = -1
  var earlier = -1

  package init(last: Int = -1, earlier: Int = -1) {
    self.last = last
    self.earlier = earlier
  }
}

extension Membership {
  package var identityHash: Int { identity.hashValue }

  package func member(in container: UnsafePointer<Container>, near hint: PlaceHint) -> Member? {
    find(in: container.pointee, near: hint)?.member
  }

  package static func forEachChange(
    of members: KnownMembers<Self>,
    from old: UnsafePointer<Container>,
    to new: UnsafePointer<Container>,
    _ body: (MemberEntry<Self>, _ old: Found<Member>?, _ new: Found<Member>?) -> Void,
    updated: (MemberEntry<Self>, _ old: UnsafePointer<Member>, _ new: UnsafePointer<Member>) -> Void
  ) {
    for entry in members.entries {
      body(
        entry,
        entry.membership.find(in: old.pointee, near: entry.hint),
        entry.membership.find(in: new.pointee, near: entry.hint)
      )
    }
  }
}

/// The element of a collection with an identity. If several have it, it is one of them.
package struct IdentifiedElement<Elements: MutableCollection & RandomAccessCollection & Sendable>: Membership
where Elements.Element: Identifiable & Sendable, Elements.Element.ID: Sendable {
  package typealias Container = Elements
  package typealias Member = Elements.Element

  let id: Elements.Element.ID

  package init(id: Elements.Element.ID) {
    self.id = id
  }

  package var identity: AnyHashable { AnyHashable(id) }

  package func find(in container: Elements, near hint: PlaceHint) -> Found<Member>? {
    guard let index = index(in: container, near: hint) else { return nil }
    return (container[index], container.distance(from: container.startIndex, to: index))
  }

  package func modify(
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
  /// Passes over elements that are the same at the same place; looks for all others in one pass.
  package static func forEachChange(
    of members: KnownMembers<Self>,
    from oldPlace: UnsafePointer<Elements>,
    to newPlace: UnsafePointer<Elements>,
    _ body: (MemberEntry<Self>, _ old: Found<Member>?, _ new: Found<Member>?) -> Void,
    updated: (MemberEntry<Self>, _ old: UnsafePointer<Member>, _ new: UnsafePointer<Member>) -> Void
  ) {
    let (old, new) = (oldPlace.pointee, newPlace.pointee)
    let changed = possiblyChanged(of: members.entries, from: old, to: new)
    if changed.isEmpty { return }
    let before = places(of: changed, in: old, isGone: { $0.isKnownToBeGone })
    let isKnown = changed.allSatisfy(\.isSettled)
    let after = places(of: changed, in: new, among: { isKnown ? differingPlaces(from: old, to: new) : nil })
    func found(_ place: Int?, in elements: Elements) -> Found<Member>? {
      place.map { (elements[elements.index(elements.startIndex, offsetBy: $0)], $0) }
    }
    let isSame = withVersions(old, new) { versions in
      changed.indices.map { number in
        if let before = before[number], let after = after[number] {
          versions.areSame(before, after)
        } else {
          false
        }
      }
    }
    for (number, entry) in changed.enumerated() {
      if let isSame, isSame[number], let place = after[number] {
        entry.follow(to: place)
      } else {
        body(entry, found(before[number], in: old), found(after[number], in: new))
      }
    }
  }

  /// Of each entry the place of its element. All that are not where they were are looked for in one pass.
  ///
  /// - Parameters:
  ///   - isGone: whether an element is known not to be there.
  ///   - candidates: gives the places where an element may be that is not where it was; `nil` for all.
  private static func places(
    of entries: [MemberEntry<Self>],
    in elements: Elements,
    isGone: (MemberEntry<Self>) -> Bool = { _ in false },
    among candidates: () -> [Int]? = { nil }
  ) -> [Int?] {
    var places: [Int?] = []
    var missing: [Member.ID: [Int]] = [:]
    for (number, entry) in entries.enumerated() {
      let place = entry.hint.last
      let isThere = entry.membership.isMember(of: elements, at: place)
      places.append(isThere ? place : nil)
      if !isThere && !isGone(entry) { missing[entry.membership.id, default: []].append(number) }
    }
    if missing.isEmpty { return places }
    func look(at place: Int) {
      let id = elements[elements.index(elements.startIndex, offsetBy: place)].id
      guard let numbers = missing.removeValue(forKey: id) else { return }
      for number in numbers { places[number] = place }
    }
    if let candidates = candidates() {
      for place in candidates where !missing.isEmpty { look(at: place) }
    } else {
      for place in 0..<elements.count where !missing.isEmpty { look(at: place) }
    }
    return places
  }

  // MARK: Where they lie

  /// The entries whose element is not where it was, or not as it was.
  private static func possiblyChanged(
    of entries: [MemberEntry<Self>],
    from old: Elements,
    to new: Elements
  ) -> [MemberEntry<Self>] {
    let changed = withVersions(old, new) { versions in
      entries.filter { entry in
        guard let place = entry.placeAtLastCommit, versions.haveBoth(place) else { return true }
        if versions.haveSameBits(at: place) { return false }
        // The identity may be a property that takes no part in comparisons.
        return !versions.areSame(place, place) || !entry.membership.isMember(of: new, at: place)
      }
    }
    return changed ?? entries
  }

  /// The places of the new version at which the old one has other bits, or nothing.
  private static func differingPlaces(from old: Elements, to new: Elements) -> [Int]? {
    withVersions(old, new) { versions in
      (0..<new.count).filter { !versions.haveBoth($0) || !versions.haveSameBits(at: $0) }
    }
  }

  /// Calls `body` with the memory of two versions; `nil` if the elements do not lie side by side.
  private static func withVersions<Result>(
    _ old: Elements,
    _ new: Elements,
    _ body: (ElementVersions) -> Result
  ) -> Result? {
    let result = old.withContiguousStorageIfAvailable { old in
      new.withContiguousStorageIfAvailable { new in body(ElementVersions(old: old, new: new)) }
    }
    return result.flatMap { $0 }
  }
}

/// Two versions of the elements of a collection, compared where they lie: no element is copied, and no type is looked
/// up for each of them.
private struct ElementVersions {
  private let old: UnsafeRawBufferPointer
  private let new: UnsafeRawBufferPointer
  private let stride: Int
  private let size: Int
  private let comparison: ValueComparison

  init<Element>(old: UnsafeBufferPointer<Element>, new: UnsafeBufferPointer<Element>) {
    self.old = UnsafeRawBufferPointer(old)
    self.new = UnsafeRawBufferPointer(new)
    stride = MemoryLayout<Element>.stride
    size = MemoryLayout<Element>.size
    comparison = ValueComparison(of: Element.self)
  }

  /// Whether both versions have that place.
  func haveBoth(_ place: Int) -> Bool { (place + 1) * stride <= min(old.count, new.count) }

  /// Whether the elements at a place, which both have, have the same bits.
  func haveSameBits(at place: Int) -> Bool {
    var offset = place * stride
    let end = offset + size
    while offset + 8 <= end {
      let mine = old.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      if mine != new.loadUnaligned(fromByteOffset: offset, as: UInt64.self) { return false }
      offset += 8
    }
    while offset < end {
      if old[offset] != new[offset] { return false }
      offset += 1
    }
    return true
  }

  /// Whether an element of the old version and one of the new version are the same. Both must be there.
  func areSame(_ place: Int, _ newPlace: Int) -> Bool {
    guard let old = old.baseAddress, let new = new.baseAddress else { return false }
    return comparison.areEqual(old + place * stride, new + newPlace * stride)
  }
}
