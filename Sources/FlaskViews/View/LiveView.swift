/// A list that follows from a collection in a state: filtered, sorted, cut, mapped or joined. It is kept up to date by
/// what has changed, not by making it again.
///
/// ```swift
/// let open = board.view(\.rows).filter { !$0.isDone }.sorted { $0.due }
/// for row in open { print(row.title) }
/// let token = open.observe { changes in table.apply(changes) }
/// ```
///
/// A view is consistent as a `Derived` is: it changes in the same commit as its collection, and a snapshot, a mix or
/// an observer never sees it beside a collection of another moment. Operators make views of views; nothing is computed
/// before a view is read or observed.
///
/// If one of n elements changes, an observed view costs O(log n), and so does the next read of a view without an
/// observer. If a parameter changes, it costs one pass, as filtering and sorting by hand. A view stores the numbers of
/// its elements, 8 to 20 bytes for each, and no copies of them. It retains the version of the collection that it showed
/// last, until it is read or notified again.
///
/// The closures of operators get an element and must use nothing else: they run at any time, on any thread. A closure
/// that reads a substance is a fault; what it needs besides the element is given by `with:`.
///
/// Elements are compared by the rules of `StateDiff`. A view retains its substance.
public struct LiveView<Element: Identifiable & Sendable>: Sendable where Element.ID: Sendable {
  let source: ViewSource
  let plans: PlanSource<ViewPlan<Element>>
  let derived: Derived<ViewRows<Element>>
  let isWindowed: Bool
  let scopeOf: @Sendable (Element.ID) -> Scope<Element>?

  init(
    _ source: ViewSource,
    _ plans: PlanSource<ViewPlan<Element>>,
    isWindowed: Bool = false,
    scopeOf: @escaping @Sendable (Element.ID) -> Scope<Element>?
  ) {
    self.source = source
    self.plans = plans
    self.isWindowed = isWindowed
    self.scopeOf = scopeOf
    let memo = ViewMemo()
    derived = Derived(in: source.flux, at: source.location) { isImpure in
      let plan = plans.plan
      let base = plan.origin?.base ?? source.read()
      return {
        let content = TypedViewContent.make(base, plan, after: memo.content, isImpure: isImpure)
        memo.replace(with: content)
        return ViewRows(content)
      }
    }
  }

  /// A view of a whole collection.
  ///
  /// - Parameter read: reads the collection that is present at the moment of the read.
  init(
    in flux: Flux,
    at location: SourcePlace,
    of read: @escaping @Sendable () -> Entities<Element>,
    scopeOf: @escaping @Sendable (Element.ID) -> Scope<Element>?
  ) {
    let source = ViewSource(flux: flux, location: location) { EntitiesBase(read()) }
    self.init(source, PlanSource(ViewPlan()), scopeOf: scopeOf)
  }

  /// A view with further operators.
  ///
  /// - Parameter isConstant: whether `change` reads no parameter.
  @usableFromInline
  func changed(
    isConstant: Bool = true,
    _ change: @escaping @Sendable (inout ViewPlan<Element>) -> Void
  ) -> LiveView {
    let plans = unlimitedPlans.changed(isConstant: isConstant) { plan in
      var plan = plan
      change(&plan)
      return plan
    }
    return LiveView(source, plans, scopeOf: scopeOf)
  }

  // MARK: Reading

  /// The elements now. They may be read on any thread at any time; Observation registers the read, and so does a
  /// derived value. During a mix they are still those before the mix.
  public var value: ViewRows<Element> { derived.value }

  /// The number of elements now.
  public var count: Int { value.count }

  /// Whether there is no element now.
  public var isEmpty: Bool { value.isEmpty }

  /// The first element now; `nil` if there is none.
  public var first: Element? { value.first }

  /// The last element now; `nil` if there is none.
  public var last: Element? { value.last }

  /// The element at an offset now, which must be from 0 to before ``count``. Another thread may change the view between
  /// two reads; several reads of one `value` agree.
  public subscript(offset: Int) -> Element { value[offset] }

  /// The element with an identity; `nil` if the view does not show it now.
  public subscript(id id: Element.ID) -> Element? { value[id: id] }

  /// A scope of the element with an identity, to mix it: of the element in the collection, whether the view shows it or
  /// not. `nil` if the collection does not have it now, or if the view shows something made of its elements.
  public func scope(id: Element.ID) -> Scope<Element>? { scopeOf(id) }
}

extension LiveView: Sequence {
  /// The elements now, in order. Changes during the walk have no effect on it.
  public func makeIterator() -> ViewRows<Element>.Iterator { value.makeIterator() }
}

extension LiveView: Readable {}
