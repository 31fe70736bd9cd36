internal import FlaskDiff
internal import FlaskEntities

/// What a view shows at one moment, with the type of the elements.
///
/// `@unchecked Sendable`, as the superclass.
final class TypedContent<Element: Identifiable & Sendable>: ViewContent, @unchecked Sendable
where Element.ID: Sendable {
  let base: ViewBase<Element.ID>
  private let project: (@Sendable (UnsafeRawPointer) -> Element)?

  private init(
    of view: Int,
    _ base: ViewBase<Element.ID>,
    _ order: NumberOrder,
    _ plan: ViewPlan<Element>,
    _ lists: Lists,
    version: Int = ViewContent.nextVersion(),
    since oldVersion: Int? = nil
  ) {
    self.base = base
    project = plan.project
    super.init(of: view, order: order, plan: plan, lists: lists, version: version, since: oldVersion)
  }

  /// The content of a view with a base and a plan. It is made from `last`, the content of another moment, if there is
  /// one and not too much differs.
  ///
  /// Complexity: O(changes · log n) from another content; otherwise as filtering and sorting.
  static func make(
    of view: Int,
    _ base: ViewBase<Element.ID>,
    _ plan: ViewPlan<Element>,
    after last: TypedContent?
  ) -> TypedContent {
    let order = NumberOrder(slots: base.slots, orders: plan.orders)
    guard let last, let lists = last.lists(to: base, plan, order) else {
      return TypedContent(of: view, base, order, plan, ViewContent.lists(order, plan))
    }
    let (changes, new) = lists
    if changes.count == 0 && base.slots.isSame(as: last.base.slots) { return last }
    let content = TypedContent(of: view, base, order, plan, new, since: last.version)
    if content.hasEdits(since: last) { return content }
    // Nothing that is shown has changed.
    return TypedContent(of: view, base, order, plan, new, version: last.version)
  }

  private func lists(
    to base: ViewBase<Element.ID>,
    _ plan: ViewPlan<Element>,
    _ order: NumberOrder
  ) -> (SlotChanges, Lists)? {
    let isSame = base.slots.isSame(as: self.base.slots)
    let changes = changes(
      isSame ? SlotChanges() : base.changes(from: self.base),
      to: plan.parameters,
      count: base.slots.count
    )
    guard let changes else { return nil }
    return lists(changes, to: order, plan).map { (changes, $0) }
  }

  /// Whether the edits since `old`, from which this content was made, have changed anything that is shown.
  private func hasEdits(since old: TypedContent) -> Bool {
    guard let edits = edits?.edits else { return true }
    if let end = window?.upperBound {
      // Edits behind the window change nothing.
      if edits.left.first ?? end < end || edits.entered.first ?? end < end { return true }
      return edits.kept.contains { range.contains($0.new) && !isSame($0.new, asIn: old, at: $0.old) }
    }
    if edits.left.count != edits.entered.count || starts?.offsets != old.starts?.offsets { return true }
    if edits.left.isEmpty { return edits.kept.contains { !isSame($0.new, asIn: old, at: $0.old) } }
    return !changes(from: old).isEmpty
  }

  // MARK: Elements

  func id(at offset: Int) -> Element.ID { base.id(at: element(at: offset)) }

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

  /// Whether an element is equal to one of another content, by the rules of `StateDiff`.
  private func isSame(_ offset: Int, asIn old: TypedContent, at oldOffset: Int) -> Bool {
    withElement(at: offset) { new in
      old.withElement(at: oldOffset) { TypeRecord.of(Element.self).areEqual($0, new, depth: 0) }
    }
  }

  /// The offset of the element with an identity; `nil` if it is not shown.
  func offset(ofID id: Element.ID) -> Int? {
    base.number(of: id).flatMap { passes($0) ? offset(of: $0) : nil }
  }

  // MARK: Differences

  /// The changes that lead from another content of this view to this one.
  ///
  /// Complexity: O(changes · log n) if the edits between both are known or can be found; otherwise linear in the
  /// elements.
  func changes(from old: TypedContent) -> ElementChanges<Element> {
    knownChanges(from: old) ?? ElementChanges(from: old.range.map { old[$0] }, to: range.map { self[$0] })
  }

  /// The changes that lead from another content of this view to this one; `nil` if only a comparison of all elements
  /// finds them.
  func knownChanges(from old: TypedContent) -> ElementChanges<Element>? {
    if old.version == version { return ElementChanges() }
    guard let matches = matches(from: old) else { return nil }
    let updates = matches.pairs.filter { !isSame($0.new, asIn: old, at: $0.old) }.ordered { $0.new }
    return ElementChanges(
      insertions: matches.insertions.map { .init(element: self[$0], offset: $0) },
      removals: matches.removals.map { .init(element: old[$0], offset: $0) },
      moves: matches.moves.map { .init(element: self[$0.new], oldOffset: $0.old, newOffset: $0.new) },
      updates: updates.map {
        .init(oldElement: old[$0.old], element: self[$0.new], oldOffset: $0.old, newOffset: $0.new)
      }
    )
  }

  /// Where elements of two contents differ, as offsets.
  struct Matches {
    var insertions: [Int] = []
    var removals: [Int] = []
    var moves: [(old: Int, new: Int)] = []
    /// The elements of both contents that may differ. All others are equal.
    var pairs: [(old: Int, new: Int)] = []
  }

  /// Where this content differs from another one; `nil` if only a comparison of all elements finds it.
  func matches(from old: TypedContent) -> Matches? {
    guard window == nil, let edits = edits(since: old) else { return nil }
    var matches = Matches(insertions: edits.entered, removals: edits.left, pairs: edits.kept)
    if edits.left.isEmpty || edits.entered.isEmpty { return matches }
    matches.insertions = []
    var places: [Element.ID: Int] = [:]
    for (place, offset) in edits.left.enumerated() { places[old.id(at: offset)] = place }
    var pairs: [(old: Int, new: Int)] = []
    for offset in edits.entered {
      // An identity occurs once, unless it has changed behind the collection.
      if let place = places.removeValue(forKey: id(at: offset)) {
        pairs.append((edits.left[place], offset))
      } else {
        matches.insertions.append(offset)
      }
    }
    let matched = Set(pairs.map(\.old))
    matches.removals.removeAll { matched.contains($0) }
    let stayed = old.fullCount - edits.left.count
    var runs = MatchedRuns(leavingOut: edits.left, edits.entered, of: stayed, rematched: pairs)
    matches.moves = runs.moved()
    matches.pairs += pairs
    return matches
  }

  /// The places at which this content differs from another one of this view; `nil` if only a comparison of all elements
  /// finds them.
  private func edits(since old: TypedContent) -> NumberEdits? {
    if let edits, edits.version == old.version { return edits.edits }
    if view != old.view { return nil }
    guard let changes = old.changes(base.changes(from: old.base), to: parameters, count: base.slots.count) else {
      return nil
    }
    var edits = NumberEdits()
    for number in changes.gone + changes.updated where old.passes(number) {
      guard let offset = old.offset(of: number) else { return nil }
      edits.left.append(offset)
    }
    for number in changes.come + changes.updated where passes(number) {
      guard let offset = offset(of: number) else { return nil }
      edits.entered.append(offset)
    }
    edits.left.sort()
    edits.entered.sort()
    return edits
  }
}
