/// The differences of two dictionaries, by key.
///
/// As a dictionary has no order, there are no offsets and no moves, and the lists are in no particular order.
public struct EntryChanges<Key: Hashable, Value> {
  /// A key that only one of the two dictionaries has, with its value.
  public struct Entry {
    /// The key.
    public let key: Key
    /// Its value.
    public let value: Value

    /// An entry.
    public init(key: Key, value: Value) {
      self.key = key
      self.value = value
    }
  }

  /// A key that both dictionaries have, with different values.
  public struct Update {
    /// The key.
    public let key: Key
    /// The value of the key in the old dictionary.
    public let oldValue: Value
    /// The value of the key in the new dictionary.
    public let value: Value

    /// An update.
    public init(key: Key, oldValue: Value, value: Value) {
      self.key = key
      self.oldValue = oldValue
      self.value = value
    }
  }

  /// The entries that only the new dictionary has.
  public let insertions: [Entry]
  /// The entries that only the old dictionary has.
  public let removals: [Entry]
  /// The keys whose values differ.
  public let updates: [Update]

  /// Changes that are known already.
  public init(insertions: [Entry] = [], removals: [Entry] = [], updates: [Update] = []) {
    self.insertions = insertions
    self.removals = removals
    self.updates = updates
  }

  /// The differences of two dictionaries; values are compared by the rules of ``StateDiff``.
  ///
  /// May be called on any thread. Complexity: linear in the entries. A dictionary that was copied and then changed has
  /// its entries in the same order. While the keys of both dictionaries come in the same order, no key is hashed.
  @inlinable
  public init(from old: [Key: Value], to new: [Key: Value]) {
    let comparison = ElementComparison(of: Value.self)
    var (insertions, removals, updates): ([Entry], [Entry], [Update]) = ([], [], [])
    func compare(_ key: Key, _ oldValue: Value, _ value: Value) {
      let areEqual = withUnsafePointer(to: oldValue) { a in
        withUnsafePointer(to: value) { b in comparison.haveEqualBits(a, b) || comparison.areEqual(a, b) }
      }
      if !areEqual { updates.append(Update(key: key, oldValue: oldValue, value: value)) }
    }
    var i = old.startIndex
    var j = new.startIndex
    while i != old.endIndex, j != new.endIndex {
      let a = old[i]
      let b = new[j]
      if a.key == b.key {
        compare(a.key, a.value, b.value)
        old.formIndex(after: &i)
        new.formIndex(after: &j)
      } else if new[a.key] == nil {
        removals.append(Entry(key: a.key, value: a.value))
        old.formIndex(after: &i)
      } else if old[b.key] == nil {
        insertions.append(Entry(key: b.key, value: b.value))
        new.formIndex(after: &j)
      } else {
        // The parallel walk ends, since the remaining keys of the two dictionaries have another order. The keys before
        // `i` in one dictionary and before `j` in the other dictionary are matched already.
        break
      }
    }
    for (key, value) in old[i...] {
      if let other = new[key] {
        compare(key, value, other)
      } else {
        removals.append(Entry(key: key, value: value))
      }
    }
    for (key, value) in new[j...] where old[key] == nil { insertions.append(Entry(key: key, value: value)) }
    self.init(insertions: insertions, removals: removals, updates: updates)
  }

  /// Whether the two dictionaries are the same. Complexity: O(1).
  public var isEmpty: Bool { insertions.isEmpty && removals.isEmpty && updates.isEmpty }
}

extension EntryChanges: Sendable where Key: Sendable, Value: Sendable {}
extension EntryChanges.Entry: Sendable where Key: Sendable, Value: Sendable {}
extension EntryChanges.Update: Sendable where Key: Sendable, Value: Sendable {}

extension EntryChanges: Equatable where Value: Equatable {}
extension EntryChanges.Entry: Equatable where Value: Equatable {}
extension EntryChanges.Update: Equatable where Value: Equatable {}
