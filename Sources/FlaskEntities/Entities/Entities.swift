/// An ordered collection of elements that have identities, made for states: copies share their common elements.
///
/// ```swift
/// struct Board: FlaskState { var rows: Entities<Row> = [] }
/// board.rows.append(Row(id: 7, title: "first"))
/// board.rows[id: 7]?.title = "changed"
/// board.rows.move(id: 7, to: 0)
/// for row in board.rows { print(row.title) }
/// ```
///
/// No identity occurs twice. A new element whose identity is present replaces the present element, unless a `uniquing`
/// closure decides otherwise.
///
/// A copy costs nothing. Changing the copy costs O(log n), since it shares everything else with the original. If the
/// storage is not shared, elements are changed in place. If one value was made from the other, the two are compared in
/// O(changes · log n). Indices are offsets from 0 to before ``count``, like those of an array. An index stays valid as
/// long as no element before it is inserted, removed or moved. Elements are looked up, inserted, removed and moved in
/// O(log n), by identity or by offset. By identity this is the average, since identities are hashed.
///
/// The collection is no `MutableCollection` and no `RangeReplaceableCollection`, whose algorithms have duplicate
/// elements for a while. But it has those of their members that unique identities permit.
///
/// The identity of an element must change only through this collection, and must always have the same hash. An object
/// that changes its own identity, or an identity that belongs to an object in the element, is not found any more.
/// Nothing else happens then: the element stays where it is, and is walked and removed by its offset, which takes O(n).
public struct Entities<Element: Identifiable> {
  @usableFromInline var tree: EntityTree
  @usableFromInline var index: IdentityIndex

  /// No elements. Complexity: O(1); allocates nothing.
  public init() {
    tree = EntityTree()
    index = IdentityIndex()
  }

  /// The number of elements. Complexity: O(1).
  @inlinable public var count: Int { tree.count }

  /// Whether the collection has no elements. Complexity: O(1).
  @inlinable public var isEmpty: Bool { tree.count == 0 }

  // MARK: Elements by number

  /// A pointer to an element. Valid until this value, or storage shared with it, is mutated.
  @inlinable @inline(__always)
  func element(_ number: Int) -> UnsafeMutablePointer<Element> {
    let leaf = Unmanaged<EntityLeaf>.fromOpaque(tree.leaves[number &>> EntityLeaf.bits])
    let order = leaf._withUnsafeGuaranteedRef { $0.order }
    return Self.elements(of: order) + number & (EntityLeaf.width &- 1)
  }

  /// The address of the first slot of a leaf. The memory is bound to the type of the elements since they were
  /// initialised.
  @inlinable @inline(__always)
  static func elements(of order: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<Element> {
    EntityLeaf.elements(of: order, alignment: MemoryLayout<Element>.alignment)
      .assumingMemoryBound(to: Element.self)
  }

  @inlinable @inline(__always)
  mutating func uniqueElement(_ number: Int) -> UnsafeMutablePointer<Element> {
    tree.uniqueElement(number).assumingMemoryBound(to: Element.self)
  }

  /// The hash that the index uses for an identity.
  @inlinable @inline(__always)
  static func hash(_ id: Element.ID) -> UInt32 { IdentityHash.hash(id) }

  /// The number that identifies the element with an identity within the storage; `nil` if no element has the identity.
  @inlinable @inline(__always)
  func number(of id: Element.ID) -> Int? { find(id)?.number }

  @inlinable @inline(__always)
  func number(of id: Element.ID, hash: UInt32) -> Int? { find(id, hash: hash)?.number }

  /// A pointer to the element with an identity. Valid until this value, or storage shared with it, is mutated.
  @inlinable @inline(__always)
  func find(_ id: Element.ID) -> (number: Int, element: UnsafeMutablePointer<Element>)? {
    index.count == 0 ? nil : find(id, hash: Self.hash(id))
  }

  @inlinable @inline(__always)
  func find(_ id: Element.ID, hash: UInt32) -> (number: Int, element: UnsafeMutablePointer<Element>)? {
    if index.count == 0 { return nil }
    let pageNumber = index.page(of: hash)
    let slot = index.pages.slot(pageNumber)
    let page = Unmanaged<IndexPage>.fromOpaque(PersistentVector<IndexPage>.address(in: slot, of: pageNumber))
    let places = page._withUnsafeGuaranteedRef { $0.places }
    let info = IndexPageHeader(tag: VectorNode.tag(in: slot)) ?? page._withUnsafeGuaranteedRef { $0.info }
    let home = info.home(of: hash)
    // Nine of ten entries of the index are in one of the two slots that belong to their hash. The slot is selected
    // without a branch, which would often be mispredicted. The second slot is free if the first slot is.
    var place = home | (UInt32(truncatingIfNeeded: places[home] &>> 32) == hash ? 0 : 1)
    while true {
      let entry = places[place]
      if entry == 0 { return nil }
      if UInt32(truncatingIfNeeded: entry &>> 32) == hash {
        let number = Int(UInt32(truncatingIfNeeded: entry)) &- 1
        let element = element(number)
        if element.pointee.id == id { return (number, element) }
      }
      place = (place &+ 1) & info.mask
    }
  }

  // MARK: Many elements at once

  /// Makes the memory that lookups read contiguous again, if the number of elements has at least doubled since it was
  /// `oldCount`. In this case it takes no longer than adding the elements did.
  @usableFromInline
  mutating func didAdd(to oldCount: Int) {
    if count < 2 * oldCount { return }
    tree.leaves.gatherNodes()
    index.pages.gatherNodes()
  }

  // MARK: Changes by number

  /// Inserts an element whose identity is not present.
  @inlinable
  mutating func insertNew(_ element: __owned Element, hash: UInt32, at offset: Int) {
    let room = tree.makeRoom(at: offset, layout: EntityLayout(Element.self))
    room.element.assumingMemoryBound(to: Element.self).initialize(to: element)
    // Making room may have changed the numbers of other elements. The index gets these first: the new element may reuse
    // one of the old numbers, and no number may have two entries.
    renumber(room.renumbered)
    index.insert(hash, room.number)
  }

  /// Frees the number of an element that was moved out of its memory.
  ///
  /// - Parameter hash: the hash of the element's identity. If the index has another hash for the element, the removal
  ///   takes O(n).
  @inlinable
  mutating func free(_ number: Int, hash: UInt32) {
    index.remove(hash, number)
    renumber(tree.free(number))
  }

  @inlinable
  mutating func remove(_ number: Int) -> Element {
    let element = uniqueElement(number).move()
    free(number, hash: Self.hash(element.id))
    return element
  }

  @inlinable
  mutating func renumber(_ renumbered: Renumbering) {
    for (old, new) in renumbered { index.replace(Self.hash(element(new).pointee.id), old, with: new) }
  }

  /// Puts an element that was moved out of its memory, and may have been changed, back into the memory.
  ///
  /// If the element has a new identity, another element with this identity is removed.
  @inlinable
  mutating func putBack(_ element: __owned Element, at number: Int, id: Element.ID) {
    if element.id == id {
      self.element(number).initialize(to: element)
      return
    }
    let newID = element.id
    let newHash = Self.hash(newID)
    // The element has a new identity, so it is removed under the old one, and then inserted in its old position.
    var offset = tree.offset(of: number)
    free(number, hash: Self.hash(id))
    if let other = self.number(of: newID, hash: newHash) {
      if tree.offset(of: other) < offset { offset -= 1 }
      _ = remove(other)
    }
    insertNew(element, hash: newHash, at: offset)
  }
}

/// `@unchecked Sendable`, because of the nodes, which are objects:
/// - Invariant: a node is changed only by the one value that references it uniquely. The elements, which are the only
///   client objects in nodes, are `Sendable`.
/// - If violated: a data race.
extension Entities: @unchecked Sendable where Element: Sendable {}
