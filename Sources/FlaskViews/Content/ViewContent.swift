internal import FlaskDiff
internal import FlaskEntities
internal import Synchronization

/// The content of a view at one moment: the numbers of the shown elements in its base, in order. The type of the
/// elements is known to the subclass.
///
/// ```text
/// base      numbers 0…4:  milk  eggs  ham  rye  jam       one version of `Entities`
/// tests     $0.count == 3                  ✓    ✓    ✓
/// orders    by name                  2: ham  4: jam  3: rye
/// numbers   [2, 4, 3]                                     the list that the content has
/// ```
///
/// `@unchecked Sendable`, since the class is not final:
/// - Invariant: constant.
/// - If violated: a data race.
class ViewContent: ViewOrigin, @unchecked Sendable {
  final let base: ViewBase
  final let order: NumberOrder
  final let tests: ElementTests
  final let window: Range<Int>?
  final let parameters: [any ViewParameter]
  final let indexHashes: [ViewIndex]
  /// The shown numbers before the window is applied; `nil` if they are all numbers of the base, in its order.
  final let numbers: NumberList?
  /// All numbers of the base in the orders of `indexHashes`.
  final let indexes: [NumberList]
  /// Where the sections begin; `nil` without sections.
  final let starts: SectionStarts?
  /// Identifies the contents that were made from each other by edits. Another content of the view has another number.
  final let lineage: Int
  /// Whether a test or an order has contradicted itself. Each content of the view is made from scratch then.
  final let isDoubtful: Bool
  /// Two contents of a view with one version show equal elements in the same order.
  final let version: Int
  /// How this content differs from the one with an earlier version; `nil` if it was not made from it by edits.
  final let edits: (version: Int, edits: NumberEdits)?
  private static let made = Atomic<Int>(0)

  static func nextVersion() -> Int { made.add(1, ordering: .relaxed).newValue }

  struct Lists {
    var numbers: NumberList?
    var indexes: [NumberList]
    var starts: SectionStarts?
    var edits: NumberEdits?
  }

  init<Element>(
    lineage: Int,
    base: ViewBase,
    order: NumberOrder,
    plan: ViewPlan<Element>,
    lists: Lists,
    version: Int,
    since oldVersion: Int?,
    isDoubtful: Bool
  ) {
    self.isDoubtful = isDoubtful
    self.lineage = lineage
    self.base = base
    self.order = order
    tests = plan.tests
    window = plan.window
    parameters = plan.parameters
    indexHashes = plan.indexes
    numbers = lists.numbers
    indexes = lists.indexes
    starts = lists.starts
    self.version = version
    if let oldVersion, let edits = lists.edits { self.edits = (oldVersion, edits) } else { edits = nil }
  }

  // MARK: Places

  /// The number of elements before the window is applied.
  final var fullCount: Int { numbers?.count ?? order.slots.count }

  /// The shown offsets.
  final var range: Range<Int> {
    let all = 0..<fullCount
    return window?.clamped(to: all) ?? all
  }

  /// The number at an offset, not counted from the window.
  final func number(at offset: Int) -> Int { numbers?[offset] ?? order.slots.number(at: offset) }

  final func element(at offset: Int) -> UnsafeRawPointer { order.slots.element(number(at: offset)) }

  /// Whether a number of the base passes the tests.
  final func passes(_ number: Int) -> Bool {
    tests.isEmpty || tests.pass(order.slots.element(number), number)
  }

  /// The offset of a number of the base; `nil` if the view does not show it.
  final func offset(of number: Int) -> Int? {
    let offset = numbers.map { order.offset(of: number, in: $0) } ?? order.slots.offset(of: number)
    return offset.flatMap { range.contains($0) ? $0 : nil }
  }

  // MARK: Overridden by the one subclass

  /// Whether an element is equal to one of another content of the view, by the rules of `StateDiff`.
  func isSame(_ offset: Int, asIn old: ViewContent, at oldOffset: Int) -> Bool { false }
  /// Whether an element has the identity of one of another content of the view.
  func hasSameIdentity(_ offset: Int, asIn old: ViewContent, at oldOffset: Int) -> Bool { false }
  /// The pairs of offsets at which elements have one identity, ascending by new offsets.
  func pairs(_ entered: [Int], with left: [Int], of old: ViewContent) -> [(old: Int, new: Int)] { [] }

  // MARK: Making

  /// The lists of a content that is not made from an earlier one.
  static func lists<Element>(_ order: NumberOrder, _ plan: ViewPlan<Element>) -> Lists {
    let isWhole = plan.tests.isEmpty && plan.orders.isEmpty
    let numbers = isWhole ? nil : order.numbers(passing: plan.tests)
    let indexes = plan.indexes.map {
      NumberOrder(slots: order.slots, orders: [$0.order]).numbers(passing: ElementTests())
    }
    return Lists(numbers: numbers, indexes: indexes, starts: starts(of: numbers, order, plan.isSectioned))
  }

  private static func starts(of numbers: NumberList?, _ order: NumberOrder, _ isSectioned: Bool)
    -> SectionStarts?
  {
    guard isSectioned, let numbers else { return nil }
    var last: UnsafeRawPointer?
    var rest = numbers.makeIterator(from: 0)
    return SectionStarts(count: numbers.count) { _ in
      guard let number = rest.next() else { return false }
      let element = order.slots.element(number)
      defer { last = element }
      return last.map { order.orders[0].compare($0, element) != 0 } ?? true
    }
  }

  /// The lists of a content that is made from this one; `nil` if they must be made from scratch.
  final func lists<Element>(_ changes: SlotChanges, to new: NumberOrder, _ plan: ViewPlan<Element>) -> Lists?
  {
    var lists = Lists(numbers: nil, indexes: [], starts: starts)
    for (place, index) in indexes.enumerated() {
      var index = index
      let edits = index.update(
        changes,
        from: NumberOrder(slots: order.slots, orders: [indexHashes[place].order]),
        to: NumberOrder(slots: new.slots, orders: [plan.indexes[place].order]),
        wasIn: { _ in true },
        isIn: { _ in true },
        didEdit: { _, _, _ in }
      )
      if edits == nil { return nil }
      lists.indexes.append(index)
    }
    guard var numbers else {
      lists.edits = wholeEdits(changes, to: new)
      return lists
    }
    func isStart(_ list: NumberList, _ offset: Int) -> Bool {
      if offset == 0 || offset >= list.count { return offset < list.count }
      let a = new.slots.element(list[offset - 1])
      let b = new.slots.element(list[offset])
      return new.orders[0].compare(a, b) != 0
    }
    let edits = numbers.update(
      changes,
      from: order,
      to: new,
      wasIn: { passes($0) },
      isIn: { number in
        plan.tests.pass(new.slots.element(number), number)
      },
      didEdit: { list, offset, isInserted in
        if isInserted {
          lists.starts?.didInsert(
            at: offset,
            isStart: isStart(list, offset),
            isNextStart: isStart(list, offset + 1)
          )
        } else {
          lists.starts?.didRemove(at: offset, count: list.count)
        }
      }
    )
    guard let edits else { return nil }
    if lists.starts != nil, let kept = edits.kept.first?.new {
      // The section may differ, though the element kept its place.
      lists.starts?.didRemove(at: kept, count: numbers.count - 1)
      lists.starts?.didInsert(
        at: kept,
        isStart: isStart(numbers, kept),
        isNextStart: isStart(numbers, kept + 1)
      )
    }
    lists.numbers = numbers
    lists.edits = edits
    return lists
  }

  /// The edits of a content that shows the whole base.
  private final func wholeEdits(_ changes: SlotChanges, to new: NumberOrder) -> NumberEdits {
    NumberEdits(
      left: changes.gone.map { order.slots.offset(of: $0) }.sorted(),
      entered: changes.come.map { new.slots.offset(of: $0) }.sorted(),
      kept: changes.updated.map { (order.slots.offset(of: $0), new.slots.offset(of: $0)) }
    )
  }

  /// The numbers of the elements that have a hash in an index.
  final func numbers(inIndex index: Int, hash: Int) -> [Int] {
    let list = indexes[index]
    let value = indexHashes[index].hash
    let first = list.firstOffset { value(order.slots.element($0)) >= hash }
    var rest = list.makeIterator(from: first)
    var numbers: [Int] = []
    while let number = rest.next(), value(order.slots.element(number)) == hash { numbers.append(number) }
    return numbers
  }

  /// The numbers of the elements that may differ between this content and a later one. The result is `nil` if any
  /// element may differ, or if so many have changed that a new content is made faster from scratch.
  final func changes(_ base: SlotChanges, to parameters: [any ViewParameter], count: Int) -> SlotChanges? {
    var changes = base
    for (old, new) in zip(self.parameters, parameters) {
      guard let numbers = new.affected(since: old, numbers: numbers(inIndex:hash:)) else { return nil }
      changes.add(updated: numbers)
    }
    return changes.count > 8 + count / 32 ? nil : changes
  }
}
