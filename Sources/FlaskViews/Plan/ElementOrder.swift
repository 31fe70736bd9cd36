/// An order of elements, which are given by their addresses.
@usableFromInline
struct ElementOrder: Sendable {
  /// Below 0 if the first element comes before the second, above 0 if it comes after it, 0 if they are tied.
  let compare: @Sendable (UnsafeRawPointer, UnsafeRawPointer) -> Int
  /// Returns the places of the elements in ascending order. Tied elements keep their order.
  let sort: @Sendable ([UnsafeRawPointer]) -> [Int]

  @usableFromInline
  init(
    compare: @escaping @Sendable (UnsafeRawPointer, UnsafeRawPointer) -> Int,
    sort: @escaping @Sendable ([UnsafeRawPointer]) -> [Int]
  ) {
    self.compare = compare
    self.sort = sort
  }

  /// Orders elements by keys, which are read once for each element that is sorted.
  @inlinable
  init<Key>(
    by key: @escaping @Sendable (UnsafeRawPointer) -> Key,
    _ areInOrder: @escaping @Sendable (Key, Key) -> Bool
  ) {
    self.init(
      compare: { a, b in
        let a = key(a)
        let b = key(b)
        return areInOrder(a, b) ? -1 : areInOrder(b, a) ? 1 : 0
      },
      sort: { elements in
        // Keys lie beside their places, so that comparing two reads what is near.
        var pairs = elements.enumerated().map { (key: key($1), place: $0) }
        pairs.sort { areInOrder($0.key, $1.key) }
        return pairs.map { $0.place }
      }
    )
  }

  /// Orders elements by keys and their `<`, which the compiler can inline. A key that is not equal to itself, as NaN,
  /// counts as larger than all others.
  @inlinable
  init<Key: Comparable & Sendable>(
    by key: @escaping @Sendable (UnsafeRawPointer) -> Key,
    _ direction: SortDirection
  ) {
    let isDescending = direction == .descending
    self.init(
      compare: { a, b in
        let (a, b) = isDescending ? (key(b), key(a)) : (key(a), key(b))
        return precedes(a, b) ? -1 : precedes(b, a) ? 1 : 0
      },
      sort: { elements in
        var pairs = elements.enumerated().map { (key: key($1), place: $0) }
        if isDescending {
          pairs.sort { precedes($1.key, $0.key) }
        } else {
          pairs.sort { precedes($0.key, $1.key) }
        }
        return pairs.map { $0.place }
      }
    )
  }
}

/// Whether a key comes before another one. A key that is not equal to itself, as NaN, comes after all others.
@inlinable
func precedes<Key: Comparable>(_ a: Key, _ b: Key) -> Bool { a < b || !(b == b) && a == a }
