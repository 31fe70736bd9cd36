/// Identifies an element of a collection by its identity. If several elements have the identity, one of these is found.
struct IdentifiedElement<Elements: MutableCollection & RandomAccessCollection & Sendable>: Membership
where Elements.Element: Identifiable & Sendable, Elements.Element.ID: Sendable {
  typealias Container = Elements
  typealias Member = Elements.Element

  let id: Elements.Element.ID

  var identity: AnyHashable { AnyHashable(id) }
  var identityHash: Int { id.hashValue }

  func find(in container: Elements, near node: MemberNode) -> Found<Member>? {
    guard let place = place(in: container, near: node) else { return nil }
    return (container[container.index(container.startIndex, offsetBy: place)], place)
  }

  func modify(
    _ container: inout Elements,
    near node: MemberNode,
    _ body: (inout Member) throws -> Void
  ) rethrows -> Bool {
    guard let place = place(in: container, near: node) else { return false }
    try body(&container[container.index(container.startIndex, offsetBy: place)])
    return true
  }

  /// Searches for the element at its last known index first, then at increasing distances.
  ///
  /// Complexity: O(k) if the element has moved by k places; O(n) if it does not exist.
  private func place(in container: Elements, near node: MemberNode) -> Int? {
    let known = node.place
    let count = container.count
    if isMember(of: container, at: known) { return known }
    func found(_ place: Int) -> Int? {
      guard isMember(of: container, at: place) else { return nil }
      node.follow(to: place)
      return place
    }
    let start = min(max(known, 0), count)
    for distance in 0...max(count - start, start) {
      if let place = found(start + distance) ?? found(start - distance) { return place }
    }
    return nil
  }

  private func isMember(of container: Elements, at place: Int) -> Bool {
    guard place >= 0, place < container.count else { return false }
    return container[container.index(container.startIndex, offsetBy: place)].id == id
  }

  // MARK: What has changed

  /// Compares two versions of the collection, and finds the changed members. Elements at the front and at the back with
  /// the same bits in both versions are skipped.
  static func forEachChange(
    in hub: ContainerObserver<Self>,
    from old: UnsafePointer<Elements>,
    to new: UnsafePointer<Elements>,
    _ body: (MemberChange<Self>) -> Void
  ) {
    withMemory(of: old.pointee) { old in
      withMemory(of: new.pointee) { new in
        let versions = ElementVersions(old: old, new: new)
        if let shift = versions.shift { hub.shift(from: shift.start, by: shift.distance) }
        let differing = versions.differingPlaces
        let before = Places(old, differing.old)
        let after = Places(new, differing.new)
        var seen: Set<ObjectIdentifier> = []
        for id in Array(before.first.keys) + after.first.keys {
          hub.forEachEntry(ofHash: id.hashValue) { entry in
            guard entry.membership.id == id, seen.insert(ObjectIdentifier(entry)).inserted else { return }
            // The last known index is read once, since readers on other threads change it. If several elements have the
            // identity, the entry stays with the element that it has found before.
            let place = entry.place
            let isInPlace = before.has(id, at: place)
            let known = isInPlace ? place : before.first[id]
            let from = known ?? (entry.isThere ? old.firstIndex { $0.id == id } : nil)
            let to = isInPlace && after.has(id, at: place) ? place : after.first[id]
            if let to { entry.follow(to: to) }
            if let from, let to, versions.areSame(from, to) { return }
            body(
              MemberChange(
                entry: entry,
                old: from.flatMap { address(of: $0, in: old) },
                new: to.flatMap { address(of: $0, in: new) }
              )
            )
          }
        }
      }
    }
  }

  /// The indices of the differing elements in one version of the collection.
  private struct Places {
    let elements: UnsafeBufferPointer<Member>
    /// The first place of each identity.
    var first: [Member.ID: Int] = [:]

    init(_ elements: UnsafeBufferPointer<Member>, _ places: [Int]) {
      self.elements = elements
      for place in places where first[elements[place].id] == nil { first[elements[place].id] = place }
    }

    func has(_ id: Member.ID, at place: Int) -> Bool {
      elements.indices.contains(place) && elements[place].id == id
    }
  }

  private static func address(of place: Int, in elements: UnsafeBufferPointer<Member>) -> UnsafePointer<
    Member
  >? {
    elements.baseAddress.map { $0 + place }
  }

  /// Calls `body` with the contiguous elements of the collection, in place if possible, otherwise with a copy.
  private static func withMemory(of elements: Elements, _ body: (UnsafeBufferPointer<Member>) -> Void) {
    if elements.withContiguousStorageIfAvailable(body) == nil {
      Array(elements).withUnsafeBufferPointer(body)
    }
  }
}

/// Two versions of the elements of a collection. They are compared in place: no element is copied, and the type is not
/// looked up for each element.
private struct ElementVersions {
  private let old: UnsafeRawBufferPointer
  private let new: UnsafeRawBufferPointer
  private let stride: Int
  private let comparison: ElementComparison
  private let oldCount: Int
  private let newCount: Int
  /// The number of equal elements at the beginning, and at the end.
  private var first = 0
  private var tail = 0

  init<Element>(old: UnsafeBufferPointer<Element>, new: UnsafeBufferPointer<Element>) {
    self.old = UnsafeRawBufferPointer(old)
    self.new = UnsafeRawBufferPointer(new)
    stride = MemoryLayout<Element>.stride
    comparison = ElementComparison(of: Element.self)
    oldCount = old.count
    newCount = new.count
    let shared = min(oldCount, newCount)
    while first < shared, haveSameBits(first, first) { first += 1 }
    while tail < shared - first, haveSameBits(oldCount - 1 - tail, newCount - 1 - tail) { tail += 1 }
  }

  /// The elements at the back that are equal in both versions: the index in the old version at which they begin, and
  /// the distance by which they have moved. `nil` if there are none or they have not moved.
  var shift: (start: Int, distance: Int)? {
    tail == 0 || oldCount == newCount ? nil : (oldCount - tail, newCount - oldCount)
  }

  /// The indices of elements whose bits differ between the versions. If the versions have different lengths, all
  /// indices between the equal beginning and the equal end.
  var differingPlaces: (old: [Int], new: [Int]) {
    if oldCount != newCount { return (Array(first..<oldCount - tail), Array(first..<newCount - tail)) }
    let places = (first..<oldCount - tail).filter { !haveSameBits($0, $0) }
    return (places, places)
  }

  private func haveSameBits(_ place: Int, _ newPlace: Int) -> Bool {
    guard let old = old.baseAddress, let new = new.baseAddress else { return false }
    return comparison.haveEqualBits(old + place * stride, new + newPlace * stride)
  }

  /// Whether an element of the old version and an element of the new version are equal. Both indices must be valid.
  func areSame(_ place: Int, _ newPlace: Int) -> Bool {
    guard let old = old.baseAddress, let new = new.baseAddress else { return false }
    return comparison.areEqual(old + place * stride, new + newPlace * stride)
  }
}
