internal import FlaskEntities
internal import FlaskPrimitives

/// The plan of a total: the tests of the elements, and the closures that add an element to the total or remove it. It
/// is to a total what a `ViewPlan` is to a view, without the type of the elements.
@usableFromInline
struct TotalPlan: Sendable {
  /// Adds an element to a total, or removes it. The total and the element are given by their addresses.
  @usableFromInline
  typealias Update = @Sendable (_ total: UnsafeMutableRawPointer, _ element: UnsafeRawPointer) -> Void

  private(set) var tests: ElementTests
  private(set) var parameters: [any ViewParameter]
  /// Whether a parameter finds the elements that it affects by an index, such as that of a joined view. The indexes are
  /// in the content of the view.
  let hasIndexes: Bool
  /// The content to whose base the tests and the parameters belong: see `ViewPlan.origin`.
  private(set) var origin: ViewContent?
  let add: Update
  /// `nil` if nothing undoes `add`: the total is then made from scratch.
  let remove: Update?

  @usableFromInline
  init<Element>(of plan: ViewPlan<Element>, add: @escaping Update, remove: Update?) {
    tests = plan.tests
    parameters = plan.parameters
    hasIndexes = !plan.indexes.isEmpty
    // Only contents are origins.
    origin = plan.origin as? ViewContent
    self.add = add
    self.remove = remove
  }

  /// Takes all that belongs to the numbers of a base from the content of the view.
  mutating func belong(to content: ViewContent) {
    tests = content.tests
    parameters = content.parameters
    origin = content
  }
}

extension ViewPlan {
  /// A change of a total by a shown element, as a function of the element in the base.
  @inlinable
  func updating<Total>(_ body: @escaping @Sendable (inout Total, Element) -> Void) -> TotalPlan.Update {
    if let project {
      return { total, element in body(&total.assumingMemoryBound(to: Total.self).pointee, project(element)) }
    }
    return { total, element in
      body(
        &total.assumingMemoryBound(to: Total.self).pointee,
        element.assumingMemoryBound(to: Element.self).pointee
      )
    }
  }
}

/// A total, and of how many elements it is.
final class TotalBox<Total: Sendable>: Sendable {
  let total: Total
  let count: Int

  init(_ total: Total, _ count: Int) { (self.total, self.count) = (total, count) }
}

/// Caches the last total of a view's elements, so that the next one is computed from the changed elements. If several
/// threads compute totals at once, any of them may be cached: each is right for the input that is cached with it.
final class TotalMemo<Total: Sendable>: Sendable {
  private let last = Lock<LastTotal?>(nil)
  private let initial: Total

  init(_ initial: Total) { self.initial = initial }

  /// - Parameter isImpure: whether a total depends on more than the elements and the plan.
  func total(of input: TotalInput, isImpure: Bool) -> TotalBox<Total> {
    let old = isImpure ? nil : last.withLock { $0 }
    let new: TotalBox<Total>
    if let old, let total = changed(old, input) { new = total } else { new = whole(input) }
    let replaced = last.withLock { last in
      defer { last = LastTotal(input: input, box: new) }
      return last
    }
    return withExtendedLifetime(replaced) { new }
  }

  private func whole(_ input: TotalInput) -> TotalBox<Total> {
    var total = initial
    var count = 0
    withUnsafeMutableBytes(of: &total) { total in
      guard let total = total.baseAddress else { return }
      count = input.addAll(to: total)
    }
    return TotalBox(total, count)
  }

  private func changed(_ last: LastTotal, _ new: TotalInput) -> TotalBox<Total>? {
    guard let changes = new.changes(from: last.input) else { return nil }
    // Only this class stores totals.
    let box = unsafeDowncast(last.box, to: TotalBox<Total>.self)
    if changes.count == 0 { return box }
    guard let remove = last.input.plan.remove else { return nil }
    var total = box.total
    var count = box.count
    withUnsafeMutableBytes(of: &total) { total in
      guard let total = total.baseAddress else { return }
      count += last.input.update(total, changes.gone, changes.updated, by: remove) * -1
      count += new.update(total, changes.come, changes.updated, by: new.plan.add)
    }
    return TotalBox(total, count)
  }
}

private struct LastTotal: Sendable {
  let input: TotalInput
  let box: any AnyObject & Sendable
}

/// The elements and the plan of a total at a moment, and the content of the view if the plan has indexes.
struct TotalInput: Sendable {
  let base: ViewBase
  let plan: TotalPlan
  let content: ViewContent?

  /// The numbers of the elements that may count otherwise than at another moment; `nil` for all.
  func changes(from old: TotalInput) -> SlotChanges? {
    var changes = base.changes(from: old.base)
    for (index, parameter) in plan.parameters.enumerated() {
      let affected = parameter.affected(since: old.plan.parameters[index]) { index, hash in
        old.content?.numbers(inIndex: index, hash: hash) ?? []
      }
      guard let affected else { return nil }
      changes.add(updated: affected)
    }
    // A pass over all elements costs less.
    if changes.count > base.slots.count { return nil }
    return changes
  }

  func addAll(to total: UnsafeMutableRawPointer) -> Int {
    var count = 0
    base.slots.forEach { element, number in
      if plan.tests.pass(element, number) {
        plan.add(total, element)
        count += 1
      }
    }
    return count
  }

  /// Returns how many elements of the numbers pass the tests; these are added or removed.
  func update(
    _ total: UnsafeMutableRawPointer,
    _ a: [Int],
    _ b: [Int],
    by update: TotalPlan.Update
  ) -> Int {
    var count = 0
    for numbers in [a, b] {
      for number in numbers {
        let element = base.slots.element(number)
        if plan.tests.pass(element, number) {
          update(total, element)
          count += 1
        }
      }
    }
    return count
  }
}
