extension Entities: ChangedByElement {
  static func change(from old: UnsafeRawPointer, to new: UnsafeRawPointer) -> ValueChange? {
    change(from: old, to: new, leavingOut: nil)
  }

  static func change(from old: UnsafeRawPointer, to new: UnsafeRawPointer, leavingOut leftOut: LeftOut?)
    -> ValueChange?
  {
    EntitiesChange<Element>(
      from: old.assumingMemoryBound(to: Self.self).pointee,
      to: new.assumingMemoryBound(to: Self.self).pointee,
      leavingOut: leftOut
    )
  }
}

/// What differs between two entities, by identity.
final class EntitiesChange<Element: Identifiable>: ValueChange, @unchecked Sendable {
  // `@unchecked` restates the superclass.
  private typealias Place = (element: Element, offset: Int)
  private typealias Move = (id: Element.ID, old: Int, new: Int)
  private typealias Update = (id: Element.ID, change: ValueChange)

  private var removed: [Place] = []
  private var added: [Place] = []
  private var moved: [Move] = []
  private var updated: [Update] = []

  /// What of the elements takes no part.
  private let leftOut: LeftOut?

  private init(leavingOut leftOut: LeftOut?) { self.leftOut = leftOut }

  init?(from old: Entities<Element>, to new: Entities<Element>, leavingOut leftOut: LeftOut?) {
    self.leftOut = leftOut
    super.init()
    let changes = ElementChanges(from: old, to: new)
    removed = changes.removals.map { ($0.element, $0.offset) }
    added = changes.insertions.map { ($0.element, $0.offset) }
    moved = changes.moves.map { ($0.element.id, $0.oldOffset, $0.newOffset) }
    updated = changes.updates.compactMap { update in
      withUnsafePointer(to: update.oldElement) { old in
        withUnsafePointer(to: update.element) { new in
          ValueChange.between(old, new, as: Element.self, leavingOut: leftOut).map { (update.element.id, $0) }
        }
      }
    }
    if isEmpty { return nil }
  }

  private var isEmpty: Bool { removed.isEmpty && added.isEmpty && moved.isEmpty && updated.isEmpty }

  override func apply(to target: UnsafeMutableRawPointer, lenient isLenient: Bool) throws(PatchMismatch)
    -> ValueChange?
  {
    let entities = target.assumingMemoryBound(to: Entities<Element>.self)
    // A copy costs nothing, and is what there is to go back to.
    var copy = entities.pointee
    let applied = EntitiesChange(leavingOut: leftOut)
    for place in removed {
      guard let element = copy[id: place.element.id] else {
        if isLenient { continue }
        throw PatchMismatch(.missing, at: "\(place.element.id)")
      }
      guard isSame(element, place.element) else {
        if isLenient { continue }
        throw PatchMismatch(.differs, at: "\(place.element.id)")
      }
      // As it is, so that it comes back with what has changed of it and takes no part.
      applied.removed.append((element, place.offset))
    }
    for move in moved {
      guard copy.contains(id: move.id) else {
        if isLenient { continue }
        throw PatchMismatch(.missing, at: "\(move.id)")
      }
      applied.moved.append(move)
    }
    for place in applied.removed { copy.remove(id: place.element.id) }
    for place in added {
      if !copy.contains(id: place.element.id) {
        applied.added.append(place)
      } else if !isLenient {
        throw PatchMismatch(.present, at: "\(place.element.id)")
      }
    }
    EntitiesChange.place(applied.added, applied.moved, in: &copy)
    for (id, change) in updated {
      do throws(PatchMismatch) {
        if let made = try EntitiesChange.apply(change, to: id, in: &copy, lenient: isLenient) {
          applied.updated.append((id, made))
        }
      } catch {
        throw error.below("\(id)")
      }
    }
    if applied.isEmpty { return nil }
    entities.pointee = copy
    return applied
  }

  /// Whether two elements differ at most in what takes no part.
  private func isSame(_ a: Element, _ b: Element) -> Bool {
    if StateDiff.areEqual(a, b) { return true }
    guard leftOut != nil else { return false }
    return withUnsafePointer(to: a) { a in
      withUnsafePointer(to: b) { ValueChange.between(a, $0, as: Element.self, leavingOut: leftOut) == nil }
    }
  }

  /// Takes out what has moved, and puts everything where it belongs, from the first place to the last.
  private static func place(_ added: [Place], _ moved: [Move], in entities: inout Entities<Element>) {
    var coming = added
    for move in moved { if let element = entities.remove(id: move.id) { coming.append((element, move.new)) } }
    coming.sort { $0.offset < $1.offset }
    for place in coming { entities.insert(place.element, at: min(place.offset, entities.count)) }
  }

  private static func apply(
    _ change: ValueChange,
    to id: Element.ID,
    in entities: inout Entities<Element>,
    lenient isLenient: Bool
  ) throws(PatchMismatch) -> ValueChange? {
    guard var element = entities[id: id] else {
      if isLenient { return nil }
      throw PatchMismatch(.missing)
    }
    let made = try withUnsafeMutablePointer(to: &element) { element throws(PatchMismatch) in
      try change.apply(to: UnsafeMutableRawPointer(element), lenient: isLenient)
    }
    if made != nil { entities[id: id] = element }
    return made
  }

  override func inverted() -> ValueChange {
    let inverse = EntitiesChange(leavingOut: leftOut)
    inverse.removed = added
    inverse.added = removed
    inverse.moved = moved.map { ($0.id, $0.new, $0.old) }
    inverse.updated = updated.map { ($0.id, $0.change.inverted()) }
    return inverse
  }

  override var byteCount: Int {
    var count = 80 + 32 * moved.count
    for place in removed + added { count += 8 + ByteCount.of(place.element) }
    for update in updated { count += ByteCount.of(update.id) + 8 + update.change.byteCount }
    return count
  }

  override func list(under key: String, in values: inout [PatchedValue]) {
    func add(_ id: Element.ID, old: Any?, new: Any?) {
      values.append(PatchedValue(key: PatchedValue.key(key, "\(id)"), old: old, new: new))
    }
    for place in removed { add(place.element.id, old: place.element, new: nil) }
    for place in added { add(place.element.id, old: nil, new: place.element) }
    for move in moved { add(move.id, old: move.old, new: move.new) }
    for update in updated { update.change.list(under: PatchedValue.key(key, "\(update.id)"), in: &values) }
  }
}
