internal import FlaskDiff
internal import FlaskEntities

/// The content of a view at one moment, with the type of the elements.
///
/// `@unchecked Sendable`, as the superclass.
final class TypedViewContent<Element: Identifiable & Sendable>: ViewContent, @unchecked Sendable
where Element.ID: Sendable {
  private var identities: IdentifiedBase<Element.ID> {
    // Each source of a view reads bases of one type.
    unsafeDowncast(base, to: IdentifiedBase<Element.ID>.self)
  }
  private let record = TypeRecord.of(Element.self)
  private let project: (@Sendable (UnsafeRawPointer) -> Element)?

  private init(
    lineage: Int,
    _ base: ViewBase,
    _ order: NumberOrder,
    _ plan: ViewPlan<Element>,
    _ lists: Lists,
    version: Int = ViewContent.nextVersion(),
    since oldVersion: Int? = nil,
    isDoubtful: Bool = false
  ) {
    project = plan.project
    super.init(
      lineage: lineage,
      base: base,
      order: order,
      plan: plan,
      lists: lists,
      version: version,
      since: oldVersion,
      isDoubtful: isDoubtful
    )
  }

  /// The content of a view with a base and a plan. It is made from `last`, the content of another moment, if there is
  /// one and not too much differs.
  ///
  /// - Parameter isImpure: whether the content depends on more than its base and the plan.
  /// - Complexity: O(changes · log n) from another content; otherwise as filtering and sorting.
  static func make(
    _ base: ViewBase,
    _ plan: ViewPlan<Element>,
    after last: ViewContent?,
    isImpure: Bool
  ) -> TypedViewContent {
    let content = content(
      base,
      isImpure ? plan.materialized(base.slots) : plan,
      after: last,
      isImpure: isImpure
    )
    // Elements are made when they are read. One is made here, where a closure that reads a state is noticed.
    if plan.project != nil, let first = content.range.first { content.withElement(at: first) { _ in } }
    return content
  }

  private static func content(
    _ base: ViewBase,
    _ plan: ViewPlan<Element>,
    after last: ViewContent?,
    isImpure: Bool
  ) -> TypedViewContent {
    let order = NumberOrder(slots: base.slots, orders: plan.orders)
    var isDoubtful = isImpure || last?.isDoubtful ?? false
    if !isImpure, let last {
      let isSame = base.slots.isSame(as: last.order.slots)
      let changes = last.changes(
        isSame ? SlotChanges() : base.changes(from: last.base),
        to: plan.parameters,
        count: base.slots.count
      )
      if let changes, changes.count == 0 && isSame { return unsafeDowncast(last, to: TypedViewContent.self) }
      if let changes, !isDoubtful, let lists = last.lists(changes, to: order, plan) {
        let lineage = last.lineage
        let content = TypedViewContent(lineage: lineage, base, order, plan, lists, since: last.version)
        if content.showsEdits(since: last) { return content }
        // Nothing that is shown has changed.
        return TypedViewContent(lineage: lineage, base, order, plan, lists, version: last.version)
      }
      isDoubtful = isDoubtful || changes != nil
    }
    let lists = ViewContent.lists(order, plan)
    isDoubtful = isDoubtful || lists.numbers.map { order.isContradicted(by: $0) } ?? false
    let lineage = ViewContent.nextVersion()
    return TypedViewContent(lineage: lineage, base, order, plan, lists, isDoubtful: isDoubtful)
  }

  // MARK: Elements

  func id(at offset: Int) -> Element.ID { identities.id(at: element(at: offset)) }

  /// Passes the shown element at an offset to `body`.
  func withElement<Result>(at offset: Int, _ body: (UnsafePointer<Element>) -> Result) -> Result {
    let element = element(at: offset)
    guard let project else { return body(element.assumingMemoryBound(to: Element.self)) }
    return withUnsafePointer(to: project(element), body)
  }

  /// The shown element at an offset.
  subscript(offset: Int) -> Element { withElement(at: offset) { $0.pointee } }

  /// The shown element of a number.
  func shown(_ number: Int) -> Element {
    let element = order.slots.element(number)
    return project?(element) ?? element.assumingMemoryBound(to: Element.self).pointee
  }

  override func isSame(_ offset: Int, asIn old: ViewContent, at oldOffset: Int) -> Bool {
    // Contents are compared with those of the same view only.
    let old = unsafeDowncast(old, to: TypedViewContent.self)
    return withElement(at: offset) { new in
      old.withElement(at: oldOffset) { record.areEqual($0, new, depth: 0) }
    }
  }

  override func hasSameIdentity(_ offset: Int, asIn old: ViewContent, at oldOffset: Int) -> Bool {
    id(at: offset) == identities.id(at: old.element(at: oldOffset))
  }

  override func pairs(_ entered: [Int], with left: [Int], of old: ViewContent) -> [(old: Int, new: Int)] {
    var places: [Element.ID: Int] = [:]
    for offset in left { places[identities.id(at: old.element(at: offset))] = offset }
    // An identity occurs once, unless it has changed behind the collection.
    return entered.compactMap { new in places.removeValue(forKey: id(at: new)).map { ($0, new) } }
  }

  /// The offset of the element with an identity; `nil` if it is not shown.
  func offset(ofID id: Element.ID) -> Int? {
    identities.number(of: id).flatMap { passes($0) ? offset(of: $0) : nil }
  }

  // MARK: Differences

  /// The changes that lead from another content of this view to this one.
  ///
  /// Complexity: O(changes · log n) if the edits between both are known or can be found; otherwise linear in the
  /// elements.
  func changes(from old: TypedViewContent) -> ElementChanges<Element> {
    knownChanges(from: old) ?? ElementChanges(from: old.range.map { old[$0] }, to: range.map { self[$0] })
  }

  /// The changes that lead from another content of this view to this one; `nil` if only a comparison of all elements
  /// finds them.
  func knownChanges(from old: TypedViewContent) -> ElementChanges<Element>? {
    if old.version == version { return ElementChanges() }
    guard let matches = matches(from: old) else { return nil }
    let updates = updates(matches.pairs, from: old)
    // Nothing is made of an empty list: looking up its type costs more than a search.
    return ElementChanges(
      insertions: matches.insertions.isEmpty
        ? [] : matches.insertions.map { .init(element: self[$0], offset: $0) },
      removals: matches.removals.isEmpty ? [] : matches.removals.map { .init(element: old[$0], offset: $0) },
      moves: matches.moves.isEmpty
        ? [] : matches.moves.map { .init(element: self[$0.new], oldOffset: $0.old, newOffset: $0.new) },
      updates: updates.isEmpty
        ? []
        : updates.map {
          .init(oldElement: old[$0.old], element: self[$0.new], oldOffset: $0.old, newOffset: $0.new)
        }
    )
  }

  /// Where this content differs from another one, found by a comparison of all elements.
  func wholeMatches(from old: TypedViewContent) -> Matches {
    let changes = ElementChanges(from: old.range.map { old[$0] }, to: range.map { self[$0] })
    return Matches(
      insertions: changes.insertions.map { $0.offset },
      removals: changes.removals.map { $0.offset },
      moves: changes.moves.map { ($0.oldOffset, $0.newOffset) },
      pairs: changes.updates.map { ($0.oldOffset, $0.newOffset) }
    )
  }
}
