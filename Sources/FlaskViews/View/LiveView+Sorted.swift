extension LiveView {
  /// The elements in the order of a key. Elements with equal keys keep the order that they have in this view.
  ///
  /// - Parameters:
  ///   - direction: whether the smallest key comes first.
  ///   - key: of an element alone. NaN counts as the largest. If `<` of the keys contradicts itself, the order is any,
  ///     no element is lost, and each change costs a pass.
  @inlinable
  public func sorted<Key: Comparable & Sendable>(
    _ direction: SortDirection = .ascending,
    _ key: @escaping @Sendable (_ element: Element) -> Key
  ) -> LiveView {
    changed { $0.orders.insert(ElementOrder(by: $0.reading(key), direction), at: 0) }
  }

  /// The elements in the order of two keys, of which the first that differs counts: `sorted { ($0.due, $0.id) }`.
  ///
  /// - Parameters:
  ///   - direction: whether the smallest keys come first.
  ///   - keys: of an element alone. See `sorted(_:_:)` with one key.
  @inlinable
  public func sorted<A: Comparable & Sendable, B: Comparable & Sendable>(
    _ direction: SortDirection = .ascending,
    _ keys: @escaping @Sendable (_ element: Element) -> (A, B)
  ) -> LiveView {
    // Without a parameter pack, with which sorting takes ten times as long.
    changed { plan in
      plan.addOrder(by: keys) { a, b in
        let (a, b) = direction == .ascending ? (a, b) : (b, a)
        return precedes(a.0, b.0) || !precedes(b.0, a.0) && precedes(a.1, b.1)
      }
    }
  }

  /// The elements in the order of several keys: as with two. With three or more, sorting takes longer.
  ///
  /// - Parameters:
  ///   - direction: whether the smallest keys come first.
  ///   - keys: of an element alone. See `sorted(_:_:)` with one key.
  @inlinable
  public func sorted<each Key: Comparable & Sendable>(
    _ direction: SortDirection = .ascending,
    _ keys: @escaping @Sendable (_ element: Element) -> (repeat each Key)
  ) -> LiveView {
    changed { plan in
      plan.addOrder(by: keys) { a, b in
        let (a, b) = direction == .ascending ? (a, b) : (b, a)
        return isAscending(repeat ((each a), (each b)))
      }
    }
  }

  /// The elements in the order of a comparator, as `sort(by:)` of an array takes it. Tied elements keep the order that
  /// they have in this view.
  ///
  /// - Parameter areInIncreasingOrder: compares two elements by what they are alone. See `sorted(_:_:)` for a
  ///   comparator that contradicts itself.
  @inlinable
  public func sorted(
    by areInIncreasingOrder: @escaping @Sendable (_ a: Element, _ b: Element) -> Bool
  ) -> LiveView {
    changed { $0.addOrder(by: { $0 }, areInIncreasingOrder) }
  }
}

/// Whether the first pair of different values is in ascending order.
@inlinable
func isAscending<each Key: Comparable>(_ pair: repeat (each Key, each Key)) -> Bool {
  for (a, b) in repeat each pair {
    if precedes(a, b) { return true }
    if precedes(b, a) { return false }
  }
  return false
}
