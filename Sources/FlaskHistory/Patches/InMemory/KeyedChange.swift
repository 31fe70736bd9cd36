/// A value that holds members by key. Its changes are changes of its members.
protocol KeyedContainer {
  associatedtype Key: Hashable
  associatedtype Member

  /// Whether the members have an order. If they have, copying the container takes O(1).
  static var hasOrder: Bool { get }

  func contains(_ key: Key) -> Bool
  func member(_ key: Key) -> Member?
  /// Inserts a member whose key is not in the container; at the end if the members have an order.
  mutating func put(_ member: Member, at key: Key)
  mutating func drop(_ key: Key)
  /// Passes the address of the member at `key`, which must exist, to `body`.
  mutating func modify(
    _ key: Key,
    _ body: (UnsafeMutableRawPointer) throws(PatchMismatch) -> ValueChange?
  ) throws(PatchMismatch) -> ValueChange?
  /// Moves members to their offsets, from the lowest offset to the highest.
  mutating func arrange(_ places: [(key: Key, offset: Int)])

  /// How a patch lists a member.
  static func listed(_ key: Key, _ member: Member, under parent: String) -> (key: String, value: Any)
}

extension KeyedContainer {
  static var hasOrder: Bool { false }
  func contains(_ key: Key) -> Bool { member(key) != nil }
  mutating func arrange(_ places: [(key: Key, offset: Int)]) {}

  mutating func modify(
    _ key: Key,
    _ body: (UnsafeMutableRawPointer) throws(PatchMismatch) -> ValueChange?
  ) throws(PatchMismatch) -> ValueChange? { nil }

  static func listed(_ key: Key, _ member: Member, under parent: String) -> (key: String, value: Any) {
    (PatchedValue.key(parent, PatchedValue.name(of: key)), member)
  }
}

/// The difference between two containers, member by member.
final class KeyedChange<Container: KeyedContainer>: ValueChange, @unchecked Sendable {
  // `@unchecked Sendable`, as the superclass.
  typealias Key = Container.Key
  typealias Member = Container.Member
  typealias Keyed = (key: Key, entry: Entry)

  enum Entry {
    case added(Member)
    case removed(Member)
    case changed(ValueChange)

    var inverted: Entry {
      switch self {
      case .added(let member): .removed(member)
      case .removed(let member): .added(member)
      case .changed(let change): .changed(change.inverted())
      }
    }

    /// This change of a member combined with the next change of the same member. The result is `.some(nil)` if the two
    /// cancel out, and `nil` if the combination cannot be determined from the two.
    func followed(by next: Entry) -> Entry?? {
      switch (self, next) {
      case (.added, .removed): .some(nil)
      case (.added(let member), .changed(let change)): .added(change.made(of: member))
      case (.changed(let change), .removed(let member)): .removed(change.inverted().made(of: member))
      case (.changed(let first), .changed(let second)):
        first.followed(by: second).map { $0.isNothing ? nil : .changed($0) }
      default: nil
      }
    }
  }

  private let entries: [Keyed]
  /// The positions of members in an ordered container. An added member has a new position, a removed member an old
  /// position, and a moved member both.
  private let places: [Key: KeyedPlace]
  /// The excluded properties of the members.
  private let leftOut: LeftOut?
  /// The highest new position of a member, and the size of the change in bytes, if both were already computed.
  private let known: (last: Int, bytes: Int)?

  private init(
    _ entries: [Keyed],
    _ places: [Key: KeyedPlace],
    leavingOut leftOut: LeftOut?,
    known: (last: Int, bytes: Int)? = nil
  ) {
    self.entries = entries
    self.places = places
    self.leftOut = leftOut
    self.known = known
  }

  /// - Returns: `nil` if nothing differs.
  init?(
    removed: [(Key, Member)],
    added: [(Key, Member)],
    updated: [(key: Key, old: Member, new: Member)] = [],
    places: [Key: KeyedPlace] = [:],
    leavingOut leftOut: LeftOut? = nil
  ) {
    entries =
      removed.map { ($0, .removed($1)) } + added.map { ($0, .added($1)) }
      + updated.compactMap { key, old, new in
        ValueChange.between(old, new, leavingOut: leftOut).map { (key, .changed($0)) }
      }
    self.places = places
    self.leftOut = leftOut
    known = nil
    super.init()
    if isNothing { return nil }
  }

  /// The change of a member; `nil` if the members are equal, or differ only in excluded properties.
  private static func change(from old: Member, to new: Member, leavingOut leftOut: LeftOut?) -> ValueChange? {
    TypeRecord.areEqual(old, new) ? nil : ValueChange.between(old, new, leavingOut: leftOut)
  }

  override func apply(to target: UnsafeMutableRawPointer, lenient isLenient: Bool) throws(PatchMismatch)
    -> ValueChange?
  {
    let container = target.assumingMemoryBound(to: Container.self)
    let before = Container.hasOrder ? container.pointee : nil
    var (applied, places, isWhole): ([Keyed], _, _) = ([], places, true)
    for (key, place) in places where place.isMove && !container.pointee.contains(key) {
      if !isLenient { throw PatchMismatch(.missing, at: PatchedValue.name(of: key)) }
      places[key] = nil
    }
    for (key, entry) in entries {
      do throws(PatchMismatch) {
        if let made = try apply(entry, at: key, to: &container.pointee, lenient: isLenient, &isWhole) {
          applied.append((key, made))
        } else if places[key]?.isMove == false {
          places[key] = nil
        }
      } catch {
        // The change as a whole does not fit, so the entries that were applied are reverted. This is possible, since
        // these entries fit.
        let back = KeyedChange(applied, [:], leavingOut: leftOut).inverted()
        if let before { container.pointee = before } else { _ = try? back.apply(to: target, lenient: false) }
        throw error.below(PatchedValue.name(of: key))
      }
    }
    container.pointee.arrange(places.compactMap { key, place in place.new.map { (key, $0) } })
    if isWhole, applied.count == entries.count, places.count == self.places.count { return self }
    let change = KeyedChange(applied, places, leavingOut: leftOut)
    return change.isNothing ? nil : change
  }

  /// Applies the change of one member to a container.
  ///
  /// - Returns: The part of the entry that was applied; `nil` if nothing was applied. `isWhole` becomes `false` if the
  ///   returned entry may differ from the given entry. After `nil` the caller must not rely on `isWhole`.
  private func apply(
    _ entry: Entry,
    at key: Key,
    to container: inout Container,
    lenient isLenient: Bool,
    _ isWhole: inout Bool
  ) throws(PatchMismatch) -> Entry? {
    let reason: PatchMismatch.Reason
    switch entry {
    case .added(let member):
      if !container.contains(key) {
        container.put(member, at: key)
        return entry
      }
      reason = .present
    case _ where !container.contains(key): reason = .missing
    case .changed(let change):
      let made = try container.modify(key) { address throws(PatchMismatch) in
        try change.apply(to: address, lenient: isLenient)
      }
      isWhole = isWhole && made === change
      return made.map { .changed($0) }
    case .removed(let member):
      if let present = container.member(key),
        KeyedChange.change(from: present, to: member, leavingOut: leftOut) == nil
      {
        container.drop(key)
        // The applied removal contains the element as it is now, not as it was recorded. So undoing it also restores
        // the excluded keys.
        isWhole = isWhole && leftOut == nil
        return .removed(present)
      }
      reason = .differs
    }
    if isLenient { return nil }
    throw PatchMismatch(reason)
  }

  override func inverted() -> ValueChange {
    KeyedChange(
      entries.map { ($0.key, $0.entry.inverted) },
      places.mapValues { KeyedPlace(old: $0.new, new: $0.old) },
      leavingOut: leftOut
    )
  }

  /// Combines the changes entry by entry. So repeated writes take no more time each. The result is `nil` if `next`
  /// moves or removes an ordered member, or adds one that is not after all positions of this change. It is also `nil`
  /// if two entries of one member cannot be combined. The caller then compares the containers.
  override func followed(by next: ValueChange) -> ValueChange? {
    guard let next = next as? KeyedChange<Container>,
      next.places.allSatisfy({ key, place in
        places[key] == nil && place.old == nil && place.new ?? -1 > lastPlace
      })
    else { return nil }
    let allPlaces = places.merging(next.places) { $1 }
    // Fast path: if the next change only adds members, this change has no entries for them, so nothing has to be
    // combined.
    if next.entries.count == next.places.count, next.entries.count > 0 {
      let known = (max(lastPlace, next.lastPlace), byteCount + next.byteCount - 48)
      return KeyedChange(entries + next.entries, allPlaces, leavingOut: leftOut, known: known)
    }
    var rest = Dictionary(uniqueKeysWithValues: next.entries.map { ($0.key, $0.entry) })
    var together: [Keyed] = []
    for (key, entry) in entries {
      guard let later = rest.removeValue(forKey: key) else {
        together.append((key, entry))
        continue
      }
      guard let both = entry.followed(by: later) else { return nil }
      if let both { together.append((key, both)) }
    }
    together += next.entries.filter { rest[$0.key] != nil }
    return KeyedChange(together, allPlaces, leavingOut: leftOut)
  }

  private var lastPlace: Int {
    if let known { return known.last }
    return places.values.reduce(-1) { max($0, $1.new ?? -1) }
  }

  override var isNothing: Bool { entries.isEmpty && places.isEmpty }

  override var byteCount: Int {
    known?.bytes
      ?? entries.reduce(48 + 32 * places.count) { count, entry in
        let size: Int =
          switch entry.entry {
          case .added(let member), .removed(let member): ByteCount.of(member)
          case .changed(let change): 8 + change.byteCount
          }
        return count + ByteCount.of(entry.key) + size + 8
      }
  }

  override func list(under parent: String, in values: inout [PatchedValue]) {
    func add(_ key: Key, _ member: Member, isNew: Bool) {
      let (key, value) = Container.listed(key, member, under: parent)
      values.append(PatchedValue(key: key, old: isNew ? nil : value, new: isNew ? value : nil))
    }
    for case (let key, .removed(let member)) in entries { add(key, member, isNew: false) }
    for case (let key, .added(let member)) in entries { add(key, member, isNew: true) }
    let moves = places.filter(\.value.isMove).sorted { $0.value.new ?? 0 < $1.value.new ?? 0 }
    for (key, place) in moves {
      let key = PatchedValue.key(parent, PatchedValue.name(of: key))
      values.append(PatchedValue(key: key, old: place.old, new: place.new))
    }
    for case (let key, .changed(let change)) in entries {
      change.list(under: PatchedValue.key(parent, PatchedValue.name(of: key)), in: &values)
    }
  }
}

/// The old and the new position of a member in an ordered container; `nil` where the member does not exist.
struct KeyedPlace {
  var old: Int?
  var new: Int?

  var isMove: Bool { old != nil && new != nil }
}
