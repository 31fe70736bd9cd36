internal import FlaskEntities
internal import FlaskPrimitives

/// Keeps the last total of a view's elements, from which the next one is made. It does not matter which one is kept.
final class TotalMemo<Element: Identifiable & Sendable, Total: Sendable>: Sendable
where Element.ID: Sendable {
  typealias Update = @Sendable (inout Total, Element) -> Void

  /// The elements and the operators of a moment, and the content of the view if the plan has indexes.
  typealias Input = (base: ViewBase<Element.ID>, plan: ViewPlan<Element>, content: ViewContent?)

  private struct Last: Sendable {
    let input: Input
    let value: (total: Total, count: Int)
  }
  private let last = Lock<Last?>(nil)
  private let initial: Total
  private let add: Update
  private let remove: Update

  init(_ initial: Total, add: @escaping Update, remove: @escaping Update) {
    (self.initial, self.add, self.remove) = (initial, add, remove)
  }

  /// The total of the elements of a base that pass the tests of a plan, and how many they are. The plan has no window.
  ///
  /// - Parameter isImpure: whether a total depends on more than the elements and the plan.
  func total(of input: Input, isImpure: Bool) -> (total: Total, count: Int) {
    let old = isImpure ? nil : last.withLock { $0 }
    let new = Last(input: input, value: changed(old, input) ?? whole(input.base, input.plan))
    let replaced = last.withLock { last in
      defer { last = new }
      return last
    }
    return withExtendedLifetime(replaced) { new.value }
  }

  private func whole(_ base: ViewBase<Element.ID>, _ plan: ViewPlan<Element>) -> (Total, Int) {
    var (total, count) = (initial, 0)
    base.slots.forEach { element, number in
      if plan.passes(element, number) {
        add(&total, plan.shown(element))
        count += 1
      }
    }
    return (total, count)
  }

  private func changed(_ last: Last?, _ new: Input) -> (Total, Int)? {
    guard let last else { return nil }
    let old = last.input
    var changes = new.base.changes(from: old.base)
    for (parameter, oldParameter) in zip(new.plan.parameters, old.plan.parameters) {
      let affected = parameter.affected(since: oldParameter) { index, hash in
        old.content?.numbers(inIndex: index, hash: hash) ?? []
      }
      guard let affected else { return nil }
      changes.add(updated: affected)
    }
    var (total, count) = last.value
    for number in changes.gone + changes.updated {
      let element = old.base.slots.element(number)
      guard old.plan.passes(element, number) else { continue }
      remove(&total, old.plan.shown(element))
      count -= 1
    }
    for number in changes.come + changes.updated {
      let element = new.base.slots.element(number)
      guard new.plan.passes(element, number) else { continue }
      add(&total, new.plan.shown(element))
      count += 1
    }
    return (total, count)
  }
}
