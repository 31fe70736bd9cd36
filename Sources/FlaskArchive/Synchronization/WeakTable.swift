internal import FlaskPrimitives

/// Objects that are shared by all who use the same key, for as long as somebody uses them.
///
/// Any thread may use it.
final class WeakTable<Key: Hashable & Sendable, Object: AnyObject & Sendable>: Sendable {
  private struct Entry: Sendable {
    weak var object: Object?
  }

  private let entries = Lock([Key: Entry]())

  /// The object of a key, made if nobody has one.
  ///
  /// - Parameters:
  ///   - key: the key; one of our own types, since it is hashed under the lock.
  ///   - make: makes the object, under the lock: it allocates, and does nothing else.
  /// - Returns: the object.
  /// - Complexity: O(1), and O(*n*) in the number of objects each time one is made.
  func object(for key: Key, make: () -> Object) -> Object {
    entries.withLock { entries in
      if let object = entries[key]?.object { return object }
      entries = entries.filter { $0.value.object != nil }
      let object = make()
      entries[key] = Entry(object: object)
      return object
    }
  }
}
