extension LiveView {
  /// The values that a closure makes of the elements, each with the identity of its element. They are made when they
  /// are read, and not stored.
  ///
  /// Observers are notified of an element if its value has changed.
  ///
  /// - Parameter transform: makes the value of the element alone.
  @inlinable
  public func mapped<Value: Sendable>(
    _ transform: @escaping @Sendable (_ element: Element) -> Value
  ) -> LiveView<Identified<Value, Element.ID>> {
    projected { plan in
      plan.reading { Identified(id: $0.id, value: transform($0)) }
    }
  }

  /// A view of what is made of each element.
  ///
  /// - Parameter project: returns the function that makes it.
  @usableFromInline
  func projected<New>(
    _ project: @escaping @Sendable (ViewPlan<Element>) -> @Sendable (UnsafeRawPointer) -> New
  ) -> LiveView<New> where New.ID == Element.ID {
    let plans = unlimitedPlans.changed(isConstant: true) { $0.projected(project($0)) }
    return LiveView<New>(source, plans, scopeOf: { _ in nil })
  }

  /// Each element beside the element of another view to which it refers, with the identity of the former.
  ///
  /// ```swift
  /// let named = open.joined(with: people.view(\.all), on: \.ownerID) { row, person in person?.name ?? "nobody" }
  /// ```
  /// A change of the other view costs O(log n) for each element that refers to what has changed. Both views should
  /// belong to one flux.
  ///
  /// - Parameters:
  ///   - other: the other view.
  ///   - key: the identity to which an element refers; `nil` if it refers to none.
  ///   - combine: makes the value of an element and of the one to which it refers, if the other view shows that.
  public func joined<Other, Value: Sendable>(
    with other: LiveView<Other>,
    on key: @escaping @Sendable (_ element: Element) -> Other.ID?,
    _ combine: @escaping @Sendable (_ element: Element, _ other: Other?) -> Value
  ) -> LiveView<Identified<Value, Element.ID>> {
    let plans = unlimitedPlans.changed(isConstant: false) { plan in
      let rows = other.derived.value
      var joined = plan.projected(
        plan.reading { element in
          let other = key(element).flatMap { rows[id: $0] }
          return Identified(id: element.id, value: combine(element, other))
        }
      )
      joined.parameters.append(JoinParameter(rows: rows, index: plan.indexes.count))
      joined.indexes.append(ViewIndex(hash: plan.reading { key($0)?.hashValue ?? 0 }))
      return joined
    }
    return LiveView<Identified<Value, Element.ID>>(source, plans, scopeOf: { _ in nil })
  }
}

/// The elements to which those of a joined view refer.
private struct JoinParameter<Other: Identifiable & Sendable>: ViewParameter where Other.ID: Sendable {
  let rows: ViewRows<Other>
  let index: Int

  func affected(since old: any ViewParameter, numbers: (Int, Int) -> [Int]) -> [Int]? {
    guard let old = old as? JoinParameter<Other> else { return nil }
    return withUnsafePointer(to: old.rows) { old in
      withUnsafePointer(to: rows) { new in
        ViewRows.differingIdentities(old, new).flatMap { numbers(index, $0.hashValue) }
      }
    }
  }
}
