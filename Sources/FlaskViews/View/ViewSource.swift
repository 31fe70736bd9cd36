internal import FlaskPrimitives

/// The source of a view: reads the present version of the collection.
@usableFromInline
struct ViewSource: Sendable {
  let flux: Flux
  /// Where the view of the whole collection was made, for messages.
  let location: SourcePlace
  /// Reads the version of the base that is present at the moment of the read. Its subclass is for the identities of the
  /// view.
  let read: @Sendable () -> ViewBase
}

/// Makes a plan at a moment: what a view shows, or of what it is the total.
@usableFromInline
struct PlanSource<Plan: Sendable>: Sendable {
  /// The plan, if it is the same at all moments.
  private let constant: Plan?
  private let make: @Sendable () -> Plan

  init(_ plan: Plan) { (constant, make) = (plan, { plan }) }

  private init(varying make: @escaping @Sendable () -> Plan) { (constant, self.make) = (nil, make) }

  /// The plan with its present parameters, such as the text of a search.
  var plan: Plan { make() }

  /// - Parameter isConstant: whether `change` reads no parameter.
  func changed<New>(
    isConstant: Bool,
    _ change: @escaping @Sendable (Plan) -> New
  ) -> PlanSource<New> {
    if isConstant, let constant { return PlanSource<New>(change(constant)) }
    return PlanSource<New>(varying: { [self] in change(plan) })
  }
}

/// Caches the last content of a view, from which the next one is made. If several threads make contents at once, any of
/// them may be cached: each contains the base and the parameters from which it was made.
///
/// Like all that runs at each change, it is not generic: the types of generic code would be looked up each time.
final class ViewMemo: Sendable {
  private let last = Lock<ViewContent?>(nil)

  var content: ViewContent? { last.withLock { $0 } }

  func replace(with content: ViewContent) {
    // The old content is released after the lock.
    let old = last.withLock { last in
      defer { last = content }
      return last
    }
    withExtendedLifetime(old) {}
  }
}
