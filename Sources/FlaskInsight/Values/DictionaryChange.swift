extension Dictionary: ChangedByContent {
  static func change(from old: UnsafeRawPointer, to new: UnsafeRawPointer) -> ValueChange? {
    DictionaryChange<Key, Value>(
      from: old.assumingMemoryBound(to: Self.self).pointee,
      to: new.assumingMemoryBound(to: Self.self).pointee
    )
  }
}

/// What differs between two dictionaries, entry by entry.
final class DictionaryChange<Key: Hashable, Value>: ValueChange, @unchecked Sendable {
  // `@unchecked` restates the superclass.
  private enum Entry {
    case added(Value)
    case removed(Value)
    case changed(ValueChange)

    /// Whether the entry that was made is the one that was to be made.
    func isSame(as entry: Entry) -> Bool {
      if case (.changed(let made), .changed(let wanted)) = (self, entry) { made === wanted } else { true }
    }

    /// This entry and the one after it as one: `.some(nil)` if they take each other back, `nil` if they do not follow
    /// each other.
    func followed(by next: Entry) -> Entry?? {
      switch (self, next) {
      case (.added, .removed): .some(nil)
      case (.added(let value), .changed(let change)):
        Entry.made(change, of: value).map { .added($0) }
      case (.removed(let old), .added(let new)):
        .some(
          withUnsafePointer(to: old) { old in
            withUnsafePointer(to: new) { new in
              ValueComparison(of: Value.self).areEqual(old, new)
                ? nil : ValueChange.between(old, new, as: Value.self)
            }
          }
          .map { .changed($0) }
        )
      case (.changed(let change), .removed(let value)):
        Entry.made(change.inverted(), of: value).map { .removed($0) }
      case (.changed(let first), .changed(let second)): Entry.together(first.followed(by: second))
      default: nil
      }
    }

    private static func together(_ change: ValueChange) -> Entry?? {
      .some(change.isNothing ? nil : .changed(change))
    }

    private static func made(_ change: ValueChange, of value: Value) -> Value? {
      var value = value
      let made = withUnsafeMutablePointer(to: &value) { try? change.apply(to: $0, lenient: false) }
      return made == nil ? nil : value
    }
  }

  private let entries: [(key: Key, entry: Entry)]

  private init(_ entries: [(key: Key, entry: Entry)]) { self.entries = entries }

  init?(from old: [Key: Value], to new: [Key: Value]) {
    var entries: [(key: Key, entry: Entry)] = []
    EntryDifferences.forEach(from: old, to: new) { key, old, new in
      switch (old, new) {
      case (let old?, let new?):
        if let change = ValueChange.between(old, new, as: Value.self) {
          entries.append((key, .changed(change)))
        }
      case (let old?, nil):
        entries.append((key, .removed(old.assumingMemoryBound(to: Value.self).pointee)))
      case (nil, let new?): entries.append((key, .added(new.assumingMemoryBound(to: Value.self).pointee)))
      case (nil, nil): break
      }
    }
    self.entries = entries
    super.init()
    if entries.isEmpty { return nil }
  }

  override func apply(to target: UnsafeMutableRawPointer, lenient isLenient: Bool) throws(PatchMismatch)
    -> ValueChange?
  {
    let dictionary = target.assumingMemoryBound(to: [Key: Value].self)
    var applied: [(key: Key, entry: Entry)] = []
    var isWhole = true
    for (key, entry) in entries {
      do throws(PatchMismatch) {
        let made = try DictionaryChange.apply(entry, at: key, to: &dictionary.pointee, lenient: isLenient)
        if let made { applied.append((key, made)) }
        isWhole = isWhole && made?.isSame(as: entry) ?? false
      } catch {
        // What has just been changed fits.
        _ = try? DictionaryChange(applied).inverted().apply(to: target, lenient: false)
        throw error.below("\(key)")
      }
    }
    return isWhole ? self : applied.isEmpty ? nil : DictionaryChange(applied)
  }

  private static func apply(
    _ entry: Entry,
    at key: Key,
    to dictionary: inout [Key: Value],
    lenient isLenient: Bool
  ) throws(PatchMismatch) -> Entry? {
    let reason: PatchMismatch.Reason
    switch (entry, dictionary.index(forKey: key)) {
    case (.added(let value), nil):
      dictionary[key] = value
      return entry
    case (.added, _?): reason = .present
    case (_, nil): reason = .missing
    case (.removed(let value), let index?):
      if StateDiff.areEqual(dictionary.values[index], value) {
        dictionary.remove(at: index)
        return entry
      }
      reason = .differs
    case (.changed(let change), let index?):
      return try withUnsafeMutablePointer(to: &dictionary.values[index]) { value throws(PatchMismatch) in
        try change.apply(to: UnsafeMutableRawPointer(value), lenient: isLenient).map { .changed($0) }
      }
    }
    if isLenient { return nil }
    throw PatchMismatch(reason)
  }

  /// Entry by entry: what is written again and again takes no more memory.
  override func followed(by next: ValueChange) -> ValueChange {
    guard let next = next as? DictionaryChange<Key, Value> else { return super.followed(by: next) }
    var together = Dictionary(uniqueKeysWithValues: entries.map { ($0.key, $0.entry) })
    for (key, entry) in next.entries {
      guard let first = together[key] else {
        together[key] = entry
        continue
      }
      guard let both = first.followed(by: entry) else { return super.followed(by: next) }
      together[key] = both
    }
    return DictionaryChange(together.map { ($0.key, $0.value) })
  }

  override var isNothing: Bool { entries.isEmpty }

  override func inverted() -> ValueChange {
    DictionaryChange(
      entries.map { key, entry in
        switch entry {
        case .added(let value): (key, .removed(value))
        case .removed(let value): (key, .added(value))
        case .changed(let change): (key, .changed(change.inverted()))
        }
      }
    )
  }

  override var byteCount: Int {
    entries.reduce(48) { count, entry in
      let size: Int =
        switch entry.entry {
        case .added(let value), .removed(let value): ByteCount.of(value)
        case .changed(let change): 8 + change.byteCount
        }
      return count + ByteCount.of(entry.key) + size + 8
    }
  }

  override func list(under parent: String, in values: inout [PatchedValue]) {
    for (key, entry) in entries {
      let key = PatchedValue.key(parent, "\(key)")
      switch entry {
      case .added(let value): values.append(PatchedValue(key: key, old: nil, new: value))
      case .removed(let value): values.append(PatchedValue(key: key, old: value, new: nil))
      case .changed(let change): change.list(under: key, in: &values)
      }
    }
  }
}

/// Finds the entries in which two dictionaries differ.
enum EntryDifferences {
  /// Calls `body` with each key whose values differ, and their addresses; `nil` where there is none.
  ///
  /// A dictionary that was copied and then changed has its entries where they were: as long as the keys of both come in
  /// the same order, none is hashed.
  static func forEach<Key: Hashable, Value>(
    from old: [Key: Value],
    to new: [Key: Value],
    _ body: (Key, UnsafeRawPointer?, UnsafeRawPointer?) -> Void
  ) {
    let comparison = ValueComparison(of: Value.self)
    func compare(_ key: Key, _ a: Value, _ b: Value) {
      withUnsafePointer(to: a) { a in
        withUnsafePointer(to: b) { b in if !comparison.areEqual(a, b) { body(key, a, b) } }
      }
    }
    func tell(_ key: Key, _ value: Value, isNew: Bool) {
      withUnsafePointer(to: value) { isNew ? body(key, nil, $0) : body(key, $0, nil) }
    }
    var (i, j) = (old.startIndex, new.startIndex)
    while i != old.endIndex, j != new.endIndex {
      let (a, b) = (old[i], new[j])
      if a.key == b.key {
        compare(a.key, a.value, b.value)
        old.formIndex(after: &i)
        new.formIndex(after: &j)
      } else if new[a.key] == nil {
        tell(a.key, a.value, isNew: false)
        old.formIndex(after: &i)
      } else if old[b.key] == nil {
        tell(b.key, b.value, isNew: true)
        new.formIndex(after: &j)
      } else {
        // The rest is in another order. What has been told of it comes before `i` in one and before `j` in the other.
        break
      }
    }
    while i != old.endIndex {
      let a = old[i]
      if let b = new[a.key] { compare(a.key, a.value, b) } else { tell(a.key, a.value, isNew: false) }
      old.formIndex(after: &i)
    }
    while j != new.endIndex {
      let b = new[j]
      if old[b.key] == nil { tell(b.key, b.value, isNew: true) }
      new.formIndex(after: &j)
    }
  }
}
