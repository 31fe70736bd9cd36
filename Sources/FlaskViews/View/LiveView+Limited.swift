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
      let content = derived.value.content
      let shown = content.shownNumbers
      var plan = plan
      plan.window = nil
      plan.origin = content
      plan.tests = ElementTests { _, number in shown.contains(number) }
      // Parameters of the plan may belong to another base than those of the content.
      plan.parameters = content.parameters + [WindowParameter(numbers: shown)]
      return plan
    }
  }
}

/// The numbers of the elements that a limited view shows, for the operators that follow it.
private struct WindowParameter: ViewParameter {
  let numbers: Set<Int>

  func affected(since old: any ViewParameter, numbers _: (Int, Int) -> [Int]) -> [Int]? {
    (old as? WindowParameter).map { Array($0.numbers.symmetricDifference(numbers)) }
  }
}
