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

  /// The elements in the order of a key that some elements do not have.
  ///
  /// - Parameters:
  ///   - direction: whether the smallest key comes first.
  ///   - nils: where elements without a key come, whatever the direction.
  ///   - key: of an element alone. See `sorted(_:_:)` with a key of all elements.
  @inlinable
  public func sorted<Key: Comparable & Sendable>(
    _ direction: SortDirection = .ascending,
    nils: NilPlace = .last,
    _ key: @escaping @Sendable (_ element: Element) -> Key?
  ) -> LiveView {
    changed { plan in
      plan.addOrder(by: key) { a, b in
        switch (a, b) {
        case (let a?, let b?): direction == .ascending ? precedes(a, b) : precedes(b, a)
        case (nil, nil): false
        case (nil, _): nils == .first
        case (_, nil): nils == .last
        }
      }
    }
  }

  // Without a parameter pack, which might be empty, and with which sorting takes ten times as long.

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
    changed { plan in
      plan.addOrder(by: keys) { direction == .ascending ? isAscending($0, $1) : isAscending($1, $0) }
    }
  }

  /// The elements in the order of three keys, of which the first that differs counts.
  ///
  /// - Parameters:
  ///   - direction: whether the smallest keys come first.
  ///   - keys: of an element alone. See `sorted(_:_:)` with one key.
  @inlinable
  public func sorted<A: Comparable & Sendable, B: Comparable & Sendable, C: Comparable & Sendable>(
    _ direction: SortDirection = .ascending,
    _ keys: @escaping @Sendable (_ element: Element) -> (A, B, C)
  ) -> LiveView {
    changed { plan in
      plan.addOrder(by: keys) { direction == .ascending ? isAscending($0, $1) : isAscending($1, $0) }
    }
  }

  /// The elements in the order of four keys, of which the first that differs counts.
  ///
  /// - Parameters:
  ///   - direction: whether the smallest keys come first.
  ///   - keys: of an element alone. See `sorted(_:_:)` with one key.
  @inlinable
  public func sorted<
    A: Comparable & Sendable,
    B: Comparable & Sendable,
    C: Comparable & Sendable,
    D: Comparable & Sendable
  >(
    _ direction: SortDirection = .ascending,
    _ keys: @escaping @Sendable (_ element: Element) -> (A, B, C, D)
  ) -> LiveView {
    changed { plan in
      plan.addOrder(by: keys) { direction == .ascending ? isAscending($0, $1) : isAscending($1, $0) }
    }
  }

  /// The elements in the order of five keys, of which the first that differs counts.
  ///
  /// - Parameters:
  ///   - direction: whether the smallest keys come first.
  ///   - keys: of an element alone. See `sorted(_:_:)` with one key.
  @inlinable
  public func sorted<
    A: Comparable & Sendable,
    B: Comparable & Sendable,
    C: Comparable & Sendable,
    D: Comparable & Sendable,
    E: Comparable & Sendable
  >(
    _ direction: SortDirection = .ascending,
    _ keys: @escaping @Sendable (_ element: Element) -> (A, B, C, D, E)
  ) -> LiveView {
    changed { plan in
      plan.addOrder(by: keys) { direction == .ascending ? isAscending($0, $1) : isAscending($1, $0) }
    }
  }

  /// The elements in the order of six keys, of which the first that differs counts.
  ///
  /// - Parameters:
  ///   - direction: whether the smallest keys come first.
  ///   - keys: of an element alone. See `sorted(_:_:)` with one key.
  @inlinable
  public func sorted<
    A: Comparable & Sendable,
    B: Comparable & Sendable,
    C: Comparable & Sendable,
    D: Comparable & Sendable,
    E: Comparable & Sendable,
    F: Comparable & Sendable
  >(
    _ direction: SortDirection = .ascending,
    _ keys: @escaping @Sendable (_ element: Element) -> (A, B, C, D, E, F)
  ) -> LiveView {
    changed { plan in
      plan.addOrder(by: keys) { direction == .ascending ? isAscending($0, $1) : isAscending($1, $0) }
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

/// Whether the first values that differ are in ascending order.
@inlinable
func isAscending<A: Comparable, B: Comparable>(_ a: (A, B), _ b: (A, B)) -> Bool {
  precedes(a.0, b.0) || !precedes(b.0, a.0) && precedes(a.1, b.1)
}

@inlinable
func isAscending<A: Comparable, B: Comparable, C: Comparable>(_ a: (A, B, C), _ b: (A, B, C)) -> Bool {
  precedes(a.0, b.0) || !precedes(b.0, a.0) && isAscending((a.1, a.2), (b.1, b.2))
}

@inlinable
func isAscending<A: Comparable, B: Comparable, C: Comparable, D: Comparable>(
  _ a: (A, B, C, D),
  _ b: (A, B, C, D)
) -> Bool {
  precedes(a.0, b.0) || !precedes(b.0, a.0) && isAscending((a.1, a.2, a.3), (b.1, b.2, b.3))
}

@inlinable
func isAscending<A: Comparable, B: Comparable, C: Comparable, D: Comparable, E: Comparable>(
  _ a: (A, B, C, D, E),
  _ b: (A, B, C, D, E)
) -> Bool {
  precedes(a.0, b.0) || !precedes(b.0, a.0) && isAscending((a.1, a.2, a.3, a.4), (b.1, b.2, b.3, b.4))
}

@inlinable
func isAscending<A: Comparable, B: Comparable, C: Comparable, D: Comparable, E: Comparable, F: Comparable>(
  _ a: (A, B, C, D, E, F),
  _ b: (A, B, C, D, E, F)
) -> Bool {
  precedes(a.0, b.0)
    || !precedes(b.0, a.0) && isAscending((a.1, a.2, a.3, a.4, a.5), (b.1, b.2, b.3, b.4, b.5))
}
