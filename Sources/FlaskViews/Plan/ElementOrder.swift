/// Whether a view shows an element of its base. The address is that of the element, `number` its number in the base.
@usableFromInline
typealias ElementTest = @Sendable (_ element: UnsafeRawPointer, _ number: Int) -> Bool

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
    (self.compare, self.sort) = (compare, sort)
  }

  /// Orders elements by keys, which are read once for each element that is sorted.
  @inlinable
  init<Key>(
    by key: @escaping @Sendable (UnsafeRawPointer) -> Key,
    _ areInOrder: @escaping @Sendable (Key, Key) -> Bool
  ) {
    self.init(
      compare: { a, b in
        let (a, b) = (key(a), key(b))
        return areInOrder(a, b) ? -1 : areInOrder(b, a) ? 1 : 0
      },
      sort: { elements in
        let keys = elements.map(key)
        return Array(keys.indices).sorted { areInOrder(keys[$0], keys[$1]) }
      }
    )
  }
}
