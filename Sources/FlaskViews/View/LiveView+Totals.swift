extension LiveView {
  /// A value that is computed from all elements, and then changed by those that come and go.
  ///
  /// ```swift
  /// let perOwner = open.reduce([:] as [Int: Int]) { $0[$1.owner, default: 0] += 1 } removing: {
  ///   $0[$1.owner, default: 0] -= 1
  /// }
  /// ```
  /// A change of one of n elements costs O(log n) besides the closures. The order of the elements must not matter.
  ///
  /// - Parameters:
  ///   - initial: the value of no elements.
  ///   - add: adds an element to the value.
  ///   - remove: removes an element from the value: undoes what `add` did, whatever was added since.
  @inlinable
  public func reduce<Result: Sendable>(
    _ initial: Result,
    adding add: @escaping @Sendable (inout Result, _ element: Element) -> Void,
    removing remove: @escaping @Sendable (inout Result, _ element: Element) -> Void
  ) -> Derived<Result> {
    total(initial, add, remove) { result, _ in result }
  }

  /// The sum of a number of each element. Of integers, it is right if it can be represented; otherwise it wraps.
  @inlinable
  public func sum<Number: FixedWidthInteger & Sendable>(
    _ number: @escaping @Sendable (_ element: Element) -> Number
  ) -> Derived<Number> {
    reduce(0) {
      $0 &+= number($1)
    } removing: {
      $0 &-= number($1)
    }
  }

  /// The sum of a number of each element. Of floating-point numbers it is exact until it is rounded once: whatever was
  /// added and removed before, equal elements have equal sums.
  @inlinable
  public func sum<Number: BinaryFloatingPoint & Sendable>(
    _ number: @escaping @Sendable (_ element: Element) -> Number
  ) -> Derived<Number> {
    exactSum(number) { sum, _ in sum }
  }

  /// The sum of a value of each element, such as an amount of a currency. `-` must undo `+`.
  @inlinable
  public func sum<Number: AdditiveArithmetic & Sendable>(
    _ number: @escaping @Sendable (_ element: Element) -> Number
  ) -> Derived<Number> {
    reduce(.zero) {
      $0 += number($1)
    } removing: {
      $0 -= number($1)
    }
  }

  /// The average of a number of each element; `nil` if there is no element. See `sum(_:)` for its exactness.
  @inlinable
  public func average<Number: BinaryFloatingPoint & Sendable>(
    _ number: @escaping @Sendable (_ element: Element) -> Number
  ) -> Derived<Number?> {
    exactSum(number) { sum, count in count == 0 ? nil : sum / Number(count) }
  }

  /// The average of an integer of each element; `nil` if there is no element.
  @inlinable
  public func average<Number: BinaryInteger & Sendable>(
    _ number: @escaping @Sendable (_ element: Element) -> Number
  ) -> Derived<Double?> {
    average { Double(number($0)) }
  }

  /// The first of the elements with the smallest key; `nil` if there is no element.
  @inlinable
  public func min<Key: Comparable & Sendable>(
    _ key: @escaping @Sendable (_ element: Element) -> Key
  ) -> Derived<Element?> {
    sorted(.ascending, key).derivedFirst
  }

  /// The first of the elements with the largest key; `nil` if there is no element.
  @inlinable
  public func max<Key: Comparable & Sendable>(
    _ key: @escaping @Sendable (_ element: Element) -> Key
  ) -> Derived<Element?> {
    sorted(.descending, key).derivedFirst
  }

  @usableFromInline
  var derivedFirst: Derived<Element?> {
    Derived(in: source.flux, at: source.location) { [derived] _ in
      let rows = derived.value
      return { rows.first }
    }
  }

  @inlinable
  func exactSum<Number: BinaryFloatingPoint & Sendable, Result: Sendable>(
    _ number: @escaping @Sendable (Element) -> Number,
    _ finish: @escaping @Sendable (Number, _ count: Int) -> Result
  ) -> Derived<Result> {
    total(
      ExactSum<Number>(),
      { $0.add(number($1)) },
      { $0.remove(number($1)) },
      { finish($0.value, $1) }
    )
  }

  @inlinable
  func total<Total: Sendable, Result: Sendable>(
    _ initial: Total,
    _ add: @escaping @Sendable (inout Total, Element) -> Void,
    _ remove: @escaping @Sendable (inout Total, Element) -> Void,
    _ finish: @escaping @Sendable (Total, _ count: Int) -> Result
  ) -> Derived<Result> {
    total(
      initial,
      planned: { TotalPlan(of: $0, add: $0.updating(add), remove: $0.updating(remove)) },
      finish
    )
  }

  @usableFromInline
  func total<Total: Sendable, Result: Sendable>(
    _ initial: Total,
    planned: @escaping @Sendable (ViewPlan<Element>) -> TotalPlan,
    _ finish: @escaping @Sendable (Total, _ count: Int) -> Result
  ) -> Derived<Result> {
    let memo = TotalMemo(initial)
    let source = source
    let derived = derived
    let plans = unlimitedPlans.changed(isConstant: true, planned)
    return Derived(in: source.flux, at: source.location) { isImpure in
      let plan = plans.plan
      let content = plan.hasIndexes ? derived.value.content : nil
      // The numbers of a content belong to its base, which may be older than the one of the source, and equal.
      let base = content?.base ?? plan.base ?? source.read()
      let input = TotalInput(base: base, plan: plan, content: content)
      return {
        let box = memo.total(of: input, isImpure: isImpure)
        return finish(box.total, box.count)
      }
    }
  }
}
