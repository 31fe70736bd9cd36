/// What differs between two dictionaries, by key.
///
/// As a dictionary has no order, there are no offsets and no moves, and the lists are in no particular order.
public struct EntryChanges<Key: Hashable, Value> {
  /// A key that only one of the dictionaries has, with its value.
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

  /// A key of both dictionaries whose value differs.
  public struct Update {
    /// The key.
    public let key: Key
    /// Its value in the old dictionary.
    public let oldValue: Value
    /// Its value in the new dictionary.
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

  /// What differs between two dictionaries; values are compared by the rules of ``StateDiff``.
  ///
  /// May be called on any thread. Complexity: linear in the entries.
  @inlinable
  public init(from old: [Key: Value], to new: [Key: Value]) {
    let comparison = ElementComparison(of: Value.self)
    var insertions: [Entry] = []
    var removals: [Entry] = []
    var updates: [Update] = []
    var common = 0
    for (key, value) in new {
      guard let oldValue = old[key] else {
        insertions.append(Entry(key: key, value: value))
        continue
      }
      common += 1
      let areEqual = withUnsafePointer(to: oldValue) { a in
        withUnsafePointer(to: value) { b in comparison.haveEqualBits(a, b) || comparison.areEqual(a, b) }
      }
      if !areEqual { updates.append(Update(key: key, oldValue: oldValue, value: value)) }
    }
    if common < old.count {
      for (key, value) in old where new[key] == nil { removals.append(Entry(key: key, value: value)) }
    }
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
