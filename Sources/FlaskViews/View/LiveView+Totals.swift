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

  /// The sum of a value of each element, such as an amount of a currency, as a loop over the elements of the collection
  /// computes it.
  ///
  /// Each change costs a pass, since `-` need not undo `+`: a `Decimal` is rounded after 38 digits. For a type for
  /// which it does, ``reduce(_:adding:removing:)`` costs O(log n).
  @inlinable
  public func sum<Number: AdditiveArithmetic & Sendable>(
    _ number: @escaping @Sendable (_ element: Element) -> Number
  ) -> Derived<Number> {
    total(.zero, { $0 += number($1) }, nil) { sum, _ in sum }
  }

  /// The sum of a duration of each element.
  @inlinable
  public func sum(_ duration: @escaping @Sendable (_ element: Element) -> Duration) -> Derived<Duration> {
    reduce(.zero) {
      $0 += duration($1)
    } removing: {
      $0 -= duration($1)
    }
  }

  /// The average of a number of each element; `nil` if there is no element. See `sum(_:)` for its exactness.
  @inlinable
  public func average<Number: BinaryFloatingPoint & Sendable>(
    _ number: @escaping @Sendable (_ element: Element) -> Number
  ) -> Derived<Number?> {
    exactSum(number) { sum, count in count == 0 ? nil : sum / Number(count) }
  }

  /// The average of a value of each element, such as a `Decimal`; `nil` if there is no element. Each change costs a
  /// pass: see `sum(_:)`.
  ///
  /// - Parameter divide: divides a sum by a number of elements.
  @inlinable
  public func average<Number: AdditiveArithmetic & Sendable>(
    _ number: @escaping @Sendable (_ element: Element) -> Number,
    dividing divide: @escaping @Sendable (_ sum: Number, _ count: Int) -> Number
  ) -> Derived<Number?> {
    total(.zero, { $0 += number($1) }, nil) { sum, count in count == 0 ? nil : divide(sum, count) }
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
    _ remove: (@Sendable (inout Total, Element) -> Void)?,
    _ finish: @escaping @Sendable (Total, _ count: Int) -> Result
  ) -> Derived<Result> {
    total(
      initial,
      planned: { plan in
        TotalPlan(of: plan, add: plan.updating(add), remove: remove.map { plan.updating($0) })
      },
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
    let isWindowed = isWindowed
    let plans = unlimitedPlans.changed(isConstant: true, planned)
    return Derived(in: source.flux, at: source.location) { isImpure in
      var plan = plans.plan
      // The plan of a limited view belongs to its content already.
      if plan.hasIndexes && !isWindowed { plan.belong(to: derived.value.content) }
      // The numbers of a content belong to its base, which may be older than the one of the source, and equal.
      let base = plan.origin?.base ?? source.read()
      let input = TotalInput(base: base, plan: plan, content: plan.origin)
      return {
        let box = memo.total(of: input, isImpure: isImpure)
        return finish(box.total, box.count)
      }
    }
  }
}
