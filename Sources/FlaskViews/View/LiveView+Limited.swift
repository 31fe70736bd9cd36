extension LiveView {
  /// The first elements, at most `limit`.
  public func prefix(_ limit: Int) -> LiveView { limited(to: limit) }

  /// At most `limit` elements, beginning at an offset.
  ///
  /// A change costs O(limit) besides O(log n).
  ///
  /// - Parameters:
  ///   - limit: 0 or more; a negative one counts as 0.
  ///   - offset: the number of elements that are left out at the beginning; a negative one counts as 0.
  public func limited(to limit: Int, offset: Int = 0) -> LiveView {
    let start = Swift.max(0, offset)
    let (end, isTooLarge) = start.addingReportingOverflow(Swift.max(0, limit))
    let window = start..<(isTooLarge ? Int.max : end)
    let plans = unlimitedPlans.changed(isConstant: true) { plan in
      var plan = plan
      plan.window = window
      return plan
    }
    return LiveView(source, plans, isWindowed: true, scopeOf: scopeOf)
  }

  /// The plans for operators that follow. After `limited(to:offset:)` they get the elements that it shows.
  var unlimitedPlans: PlanSource<ViewPlan<Element>> {
    if !isWindowed { return plans }
    return plans.changed(isConstant: false) { [derived] plan in
      let rows = derived.value
      var plan = plan
      plan.window = nil
      plan.tests = ElementTests { _, number in rows.content.offset(of: number) != nil }
      plan.parameters.append(WindowParameter(rows: rows))
      return plan
    }
  }
}

/// The elements that a limited view shows, for the operators that follow it.
private struct WindowParameter<Element: Identifiable & Sendable>: ViewParameter where Element.ID: Sendable {
  let rows: ViewRows<Element>

  func affected(since old: any ViewParameter, numbers: (Int, Int) -> [Int]) -> [Int]? {
    guard let old = old as? WindowParameter<Element> else { return nil }
    func shown(_ rows: ViewRows<Element>) -> Set<Int> {
      var iterator = rows.content.numbers(from: rows.content.range.lowerBound)
      return Set((0..<rows.count).compactMap { _ in iterator.next() })
    }
    return Array(shown(old.rows).symmetricDifference(shown(rows)))
  }
}
