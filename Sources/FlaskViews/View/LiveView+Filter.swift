extension LiveView {
  /// The elements for which a closure returns true.
  ///
  /// - Parameter isIncluded: tests an element by what it is alone.
  @inlinable
  public func filter(_ isIncluded: @escaping @Sendable (_ element: Element) -> Bool) -> LiveView {
    changed { $0.addTest(isIncluded) }
  }

  /// The elements for which a closure returns true, given a parameter that is state.
  ///
  /// ```swift
  /// let found = open.filter(with: { search.text }) { row, text in row.title.contains(text) }
  /// ```
  /// - Parameters:
  ///   - parameter: reads the parameter from substances, scopes and derived values. If its value changes, all elements
  ///     are tested again.
  ///   - isIncluded: tests an element by what it is and by the parameter alone.
  public func filter<Parameter: Sendable>(
    with parameter: @escaping @Sendable () -> Parameter,
    _ isIncluded: @escaping @Sendable (_ element: Element, _ parameter: Parameter) -> Bool
  ) -> LiveView {
    changed(isConstant: false) { plan in
      let value = parameter()
      plan.parameters.append(ValueParameter(value: value))
      plan.addTest { isIncluded($0, value) }
    }
  }
}
