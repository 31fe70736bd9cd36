internal import FlaskPrimitives

/// A table of objects by key. All users of a key share its object, which lives as long as one of them uses it.
///
/// Any thread may use it.
final class WeakTable<Key: Hashable & Sendable, Object: AnyObject & Sendable>: Sendable {
  private struct Entry: Sendable {
    weak var object: Object?
  }

  private struct Table: Sendable {
    var entries: [Key: Entry] = [:]
    /// When the table has this many entries, entries of deallocated objects are removed.
    var limit = 16
  }

  private let table = Lock(Table())

  /// The object of a key, made if there is none.
  ///
  /// - Parameters:
  ///   - key: the key. Hashing the key must not run client code, since the key is hashed under the lock.
  ///   - make: makes the object, under the lock: it allocates, and does nothing else.
  /// - Returns: the object.
  /// - Complexity: O(1) on average.
  func object(for key: Key, make: () -> Object) -> Object {
    table.withLock { table in
      if let object = table.entries[key]?.object { return object }
      if table.entries.count >= table.limit {
        table.entries = table.entries.filter { $0.value.object != nil }
        table.limit = max(16, 2 * table.entries.count)
      }
      let object = make()
      table.entries[key] = Entry(object: object)
      return object
    }
  }
}
