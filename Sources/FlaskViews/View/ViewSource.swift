internal import FlaskPrimitives

/// Where a view gets its elements: reads the version of the base that is present at the moment of the read.
@usableFromInline
struct ViewSource<ID: Hashable & Sendable>: Sendable {
  let flux: Flux
  let read: @Sendable () -> ViewBase<ID>
}

/// Makes the plan of a view at a moment.
@usableFromInline
struct PlanSource<Element: Sendable>: Sendable {
  /// The plan, if it is the same at all moments.
  private let constant: ViewPlan<Element>?
  private let make: @Sendable () -> ViewPlan<Element>

  init(_ plan: ViewPlan<Element>) { (constant, make) = (plan, { plan }) }

  private init(varying make: @escaping @Sendable () -> ViewPlan<Element>) {
    (constant, self.make) = (nil, make)
  }

  /// Reads the parameters that are present at the moment of the call.
  var plan: ViewPlan<Element> { constant ?? make() }

  /// - Parameter isConstant: whether `change` reads no parameter.
  func changed<New>(
    isConstant: Bool,
    _ change: @escaping @Sendable (ViewPlan<Element>) -> ViewPlan<New>
  ) -> PlanSource<New> {
    if isConstant, let constant { return PlanSource<New>(change(constant)) }
    return PlanSource<New>(varying: { [self] in change(plan) })
  }
}

/// Keeps the last content of a view, from which the next one is made. A content follows from its base and its
/// parameters alone, so it does not matter which one is kept, and at which moment it was right.
final class ViewMemo<Element: Identifiable & Sendable>: Sendable where Element.ID: Sendable {
  private let last = Lock<TypedContent<Element>?>(nil)
  private let view = ViewContent.nextVersion()

  /// - Parameter isImpure: whether a content depends on more than its base and its parameters.
  func content(
    _ base: ViewBase<Element.ID>,
    _ plan: ViewPlan<Element>,
    isImpure: Bool
  ) -> TypedContent<Element> {
    let content = TypedContent.make(of: view, base, plan, after: isImpure ? nil : last.withLock { $0 })
    // The old content is released after the lock.
    let old = last.withLock { last in
      defer { last = content }
      return last
    }
    return withExtendedLifetime(old) { content }
  }
}
