internal import FlaskEntities
internal import FlaskDiff

/// Applies the difference between an old and a new value to a third value, `other`. This is the old value as it would
/// be without an earlier change.
///
/// Entries that `other` has, too, get their new values, whatever their values in `other`. Entries that only the old
/// value has, since the earlier change added them, stay absent. Later changes of these entries are ignored.
enum Rebase {
  /// Applies the difference between two values of any type to `other`: the old value as it would be without an earlier
  /// change.
  static func apply<Value>(_ other: inout Value, from old: Value, to new: Value) {
    withUnsafePointer(to: old) { old in
      withUnsafePointer(to: new) { new in
        withUnsafeMutablePointer(to: &other) { other in
          func open<Content: ChangedByContent>(_ type: Content.Type) {
            let old = UnsafeRawPointer(old)
            let new = UnsafeRawPointer(new)
            UnsafeMutableRawPointer(other).assumingMemoryBound(to: type).pointee.rebase(
              from: old.assumingMemoryBound(to: type).pointee,
              to: new.assumingMemoryBound(to: type).pointee
            )
          }
          if let type = Value.self as? any ChangedByContent.Type { return open(type) }
          let layout = StateLayout.of(Value.self)
          guard layout.hasProperties else { return other.pointee = new.pointee }
          apply(layout, from: old, to: new, onto: other)
        }
      }
    }
  }

  /// Applies the difference between two values with stored properties to a third value, property by property.
  static func apply(
    _ layout: StateLayout,
    from old: UnsafeRawPointer,
    to new: UnsafeRawPointer,
    onto other: UnsafeMutableRawPointer
  ) {
    var changes = ChangeSet()
    layout.compare(old: old, new: new, into: &changes)
    layout.forEachChangedUnit(&changes) { leaf in
      let unit = layout.unit(leaf)
      let place = unit.offset
      func open<Value>(_ type: Value.Type) {
        let old = (old + place).assumingMemoryBound(to: type)
        let new = (new + place).assumingMemoryBound(to: type)
        Rebase.apply(
          &(other + place).assumingMemoryBound(to: type).pointee,
          from: old.pointee,
          to: new.pointee
        )
      }
      switch unit.form {
      case .bits: (other + place).copyMemory(from: new + place, byteCount: unit.size)
      case .text: open(String.self)
      case .value(let type) where type != layout.stateType || !layout.hasProperties:
        _openExistential(type, do: open)
      case .value, .opaque: UnitCopy(of: layout, leaf: leaf, in: new).assign(to: other)
      }
    }
  }

  /// Whether a new value of a type replaces the old value as a whole, as a number or a string does.
  static func isAssigned<Value>(_ type: Value.Type) -> Bool {
    if Value.self is String.Type { return true }
    if Value.self is any ChangedByContent.Type { return false }
    return !StateLayout.of(Value.self).hasProperties
  }
}

extension Optional {
  mutating func rebase(from old: Self, to new: Self) {
    guard let before = old, let after = new, !Rebase.isAssigned(Wrapped.self) else { return self = new }
    if var content = self {
      Rebase.apply(&content, from: before, to: after)
      self = content
    }
  }
}

extension Set {
  mutating func rebase(from old: Self, to new: Self) {
    subtract(old.subtracting(new))
    formUnion(new.subtracting(old))
  }
}

extension Dictionary {
  mutating func rebase(from old: Self, to new: Self) {
    let changes = EntryChanges(from: old, to: new)
    for entry in changes.removals { self[entry.key] = nil }
    for entry in changes.insertions { self[entry.key] = entry.value }
    for update in changes.updates {
      if Rebase.isAssigned(Value.self) {
        self[update.key] = update.value
      } else if let index = index(forKey: update.key) {
        Rebase.apply(&values[index], from: update.oldValue, to: update.value)
      }
    }
  }
}

extension Entities {
  mutating func rebase(from old: Self, to new: Self) {
    let changes = ElementChanges(from: old, to: new)
    for removal in changes.removals { remove(id: removal.element.id) }
    for change in changes.updates {
      update(id: change.element.id) { Rebase.apply(&$0, from: change.oldElement, to: change.element) }
    }
    var coming = changes.insertions.map { ($0.offset, $0.element) }
    for move in changes.moves {
      if let element = remove(id: move.element.id) { coming.append((move.newOffset, element)) }
    }
    coming.sort { $0.0 < $1.0 }
    // Elements that were inserted at the end of `new`, or moved there, are also appended here. `tail` is the index of
    // the first of them in `coming`.
    var tail = coming.count
    while tail > 0, coming[tail - 1].0 == new.count - (coming.count - tail) - 1 { tail -= 1 }
    for (number, (offset, element)) in coming.enumerated() {
      let before = (0..<offset).last { contains(id: new[$0].id) }.flatMap { index(id: new[$0].id) }
      insert(element, at: number < tail ? before.map { $0 + 1 } ?? 0 : count)
    }
  }
}

extension Array {
  /// Applies the difference between two arrays to this array. Identifiable elements are matched by identity, all others
  /// by position.
  mutating func rebase(from old: Self, to new: Self) {
    let lists = [old, new, self]
    func byIdentity<E: Identifiable>(_: E.Type) -> Self? {
      let lists = lists.compactMap { $0 as? [E] }
      var entities = lists.map { Entities($0) }
      guard entities.map(\.count) == lists.map(\.count) else { return nil }
      entities[2].rebase(from: entities[0], to: entities[1])
      return [E](entities[2]) as? Self
    }
    if let type = Element.self as? any Identifiable.Type, let rebased = byIdentity(type) {
      return self = rebased
    }
    let missing = Stretch.all(from: old, to: self)
    for stretch in Stretch.all(from: old, to: new).reversed() {
      if stretch.old.count == stretch.new.count {
        for (i, j) in zip(stretch.old, stretch.new) {
          if let place = missing.place(ofElement: i) { Rebase.apply(&self[place], from: old[i], to: new[j]) }
        }
      } else {
        let gone = stretch.old.compactMap(missing.place(ofElement:))
        let place = gone.first ?? missing.place(ofInsertion: stretch.old.lowerBound)
        for place in gone.reversed() { remove(at: place) }
        insert(contentsOf: new[stretch.new], at: place)
      }
    }
  }
}

extension Stretch {
  /// The ranges in which two arrays differ. The search allows more edits than for a patch, since rebasing is rare.
  fileprivate static func all<Element>(from old: [Element], to new: [Element]) -> [Stretch] {
    let comparison = ElementComparison(of: Element.self)
    return all(old.count, new.count, mostEdits: 256) { i, j in
      withUnsafePointer(to: old[i]) { a in withUnsafePointer(to: new[j]) { comparison.areEqual(a, $0) } }
    }
  }
}

extension [Stretch] {
  /// The position in the new list of an element of the old list; `nil` if the new list lacks the element.
  fileprivate func place(ofElement place: Int) -> Int? {
    guard let stretch = last(where: { $0.old.lowerBound <= place }) else { return place }
    if place >= stretch.old.upperBound { return place - stretch.old.upperBound + stretch.new.upperBound }
    let isSameCount = stretch.old.count == stretch.new.count
    return isSameCount ? place - stretch.old.lowerBound + stretch.new.lowerBound : nil
  }

  /// The index in the new list for elements that are inserted at a position of the old list. For the beginning of the
  /// old list the index is 0. For any other position it is behind the elements that only the new list has there.
  fileprivate func place(ofInsertion place: Int) -> Int {
    guard place > 0, let stretch = last(where: { $0.old.lowerBound <= place }) else { return place }
    return stretch.new.upperBound + Swift.max(0, place - stretch.old.upperBound)
  }
}

extension String {
  /// Applies the difference between two strings to this string. Long strings are rebased as lists of Unicode scalars,
  /// short strings are replaced.
  mutating func rebase(from old: Self, to new: Self) {
    if old.utf8.count + new.utf8.count < TextChange.shortest { return self = new }
    var letters = Array(unicodeScalars)
    letters.rebase(from: Array(old.unicodeScalars), to: Array(new.unicodeScalars))
    self = String(UnicodeScalarView(letters))
  }
}
