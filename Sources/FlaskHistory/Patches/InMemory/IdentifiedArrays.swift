internal import FlaskDiff
internal import FlaskEntities

extension KeyedChange {
  /// The change of a collection with an order, whose members are found by their identities.
  ///
  /// - Returns: `nil` if nothing differs.
  convenience init?(_ changes: ElementChanges<Member>, leavingOut leftOut: LeftOut?)
  where Member: Identifiable, Key == Member.ID {
    var places: [Key: KeyedPlace] = [:]
    for removal in changes.removals { places[removal.element.id] = KeyedPlace(old: removal.offset) }
    for insertion in changes.insertions { places[insertion.element.id] = KeyedPlace(new: insertion.offset) }
    for move in changes.moves {
      places[move.element.id] = KeyedPlace(old: move.oldOffset, new: move.newOffset)
    }
    self.init(
      removed: changes.removals.map { ($0.element.id, $0.element) },
      added: changes.insertions.map { ($0.element.id, $0.element) },
      updated: changes.updates.map { ($0.element.id, $0.oldElement, $0.element) },
      places: places,
      leavingOut: leftOut
    )
  }
}

/// The changes of arrays whose elements have unique identities. Elements are matched by identity. So a change of an
/// element still fits after other elements were inserted or removed before it.
enum IdentifiedArrays {
  /// Up to this number of changed elements, each is searched for in the array. For more, `ChangeByTable` looks them up
  /// by identity.
  private static let mostSearched = 64

  /// - Returns: the change, `nil` in it if nothing differs; `nil` if an identity occurs twice.
  static func change<Element: Identifiable>(
    _ type: Element.Type,
    _ old: UnsafeRawPointer,
    _ new: UnsafeRawPointer,
    _ leftOut: LeftOut?
  ) -> ValueChange?? {
    let old = old.assumingMemoryBound(to: [Element].self).pointee
    let new = new.assumingMemoryBound(to: [Element].self).pointee
    if let updates = updates(from: old, to: new) {
      return .some(KeyedChange<[Element]>(removed: [], added: [], updated: updates, leavingOut: leftOut))
    }
    guard haveIdentities(old), haveIdentities(new) else { return nil }
    let changes = ElementChanges(from: old, to: new)
    // Elements were removed and inserted at the same offsets: probably their identities were edited in place. Then
    // elements are matched by offset (`nil`).
    if !changes.removals.isEmpty, changes.moves.isEmpty,
      changes.removals.map(\.offset) == changes.insertions.map(\.offset)
    {
      return nil
    }
    let count =
      changes.removals.count + changes.insertions.count + changes.moves.count + changes.updates.count
    if count <= mostSearched { return .some(KeyedChange<[Element]>(changes, leavingOut: leftOut)) }
    return .some(
      KeyedChange<Entities<Element>>(changes, leavingOut: leftOut).map { ChangeByTable<Element>($0) }
    )
  }

  /// Whether each identity is equal to itself, as `Double.nan` is not, and to no other one.
  private static func haveIdentities<Element: Identifiable>(_ elements: [Element]) -> Bool {
    var known: Set<Element.ID> = []
    return elements.allSatisfy { $0.id == $0.id && known.insert($0.id).inserted }
  }

  /// The updated elements, if the arrays have the same identities in the same order, and few elements differ; `nil`
  /// otherwise, and if the identity of one of these elements occurs twice.
  private static func updates<Element: Identifiable>(
    from old: [Element],
    to new: [Element]
  ) -> [(key: Element.ID, old: Element, new: Element)]? {
    guard old.count == new.count else { return nil }
    let comparison = ElementComparison(of: Element.self)
    return old.withUnsafeBufferPointer { old in
      new.withUnsafeBufferPointer { new in
        guard let a = old.baseAddress, let b = new.baseAddress, a != b else { return [] }
        var updates: [(key: Element.ID, old: Element, new: Element)] = []
        for index in old.indices where !comparison.areEqual(a + index, b + index) {
          if updates.count == 8 || old[index].id != new[index].id { return nil }
          updates.append((old[index].id, old[index], new[index]))
        }
        let areUnique = updates.allSatisfy { update in
          new.reduce(0) { $0 + ($1.id == update.key ? 1 : 0) } == 1
        }
        return areUnique ? updates : nil
      }
    }
  }
}

extension Array: KeyedContainer where Element: Identifiable {
  typealias Key = Element.ID
  typealias Member = Element

  static var hasOrder: Bool { true }

  private func offset(_ key: Element.ID) -> Int? { firstIndex { $0.id == key } }

  func member(_ key: Element.ID) -> Element? { offset(key).map { self[$0] } }
  mutating func put(_ member: Element, at key: Element.ID) { append(member) }
  mutating func drop(_ key: Element.ID) { if let offset = offset(key) { remove(at: offset) } }

  mutating func modify(
    _ key: Element.ID,
    _ body: (UnsafeMutableRawPointer) throws(PatchMismatch) -> ValueChange?
  ) throws(PatchMismatch) -> ValueChange? {
    guard let offset = offset(key) else { return nil }
    return try withElement(offset, body)
  }

  mutating func arrange(_ places: [(key: Element.ID, offset: Int)]) {
    let coming = places.compactMap { key, place in
      offset(key).map { (element: remove(at: $0), offset: place) }
    }
    for place in coming.sorted(by: { $0.offset < $1.offset }) {
      insert(place.element, at: Swift.min(place.offset, count))
    }
  }
}

/// Many changes of an array, applied to its elements in `Entities`, which find each by its identity.
final class ChangeByTable<Element: Identifiable>: ValueChange, @unchecked Sendable {
  // `@unchecked Sendable`, as the superclass.
  private let change: ValueChange

  init(_ change: ValueChange) { self.change = change }

  override func apply(to target: UnsafeMutableRawPointer, lenient isLenient: Bool) throws(PatchMismatch)
    -> ValueChange?
  {
    let array = target.assumingMemoryBound(to: [Element].self)
    var elements = Entities(array.pointee)
    // An identity that occurs twice would be lost.
    if elements.count != array.pointee.count {
      if isLenient { return nil }
      throw PatchMismatch(.differs)
    }
    let made = try withUnsafeMutablePointer(to: &elements) { elements throws(PatchMismatch) in
      try change.apply(to: elements, lenient: isLenient)
    }
    guard let made else { return nil }
    array.pointee = Array(elements)
    return made === change ? self : ChangeByTable(made)
  }

  override func inverted() -> ValueChange { ChangeByTable(change.inverted()) }

  override func followed(by next: ValueChange) -> ValueChange? {
    (next as? ChangeByTable<Element>).flatMap { change.followed(by: $0.change) }.map { ChangeByTable($0) }
  }

  override var isNothing: Bool { change.isNothing }
  override var byteCount: Int { 16 + change.byteCount }
  override func list(under key: String, in values: inout [PatchedValue]) {
    change.list(under: key, in: &values)
  }
}
