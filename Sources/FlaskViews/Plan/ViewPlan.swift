internal import FlaskEntities

/// The operators of a view at one moment: which elements of the base it shows, in which order, and what it makes of
/// them.
@usableFromInline
struct ViewPlan<Element: Sendable>: Sendable {
  /// Makes the shown element of the one in the base; `nil` if both are the same.
  @usableFromInline let project: (@Sendable (UnsafeRawPointer) -> Element)?
  /// An element is shown if it passes all tests.
  @usableFromInline var tests = ElementTests()
  /// The orders, the most significant first. Elements that are tied in all of them are in the order of the base.
  @usableFromInline var orders: [ElementOrder] = []
  /// Whether elements that differ in the first order are in different sections.
  @usableFromInline var isSectioned = false
  /// The shown offsets among the elements that pass the tests; `nil` for all.
  var window: Range<Int>?
  /// The values on which the tests and `project` depend besides the element.
  var parameters: [any ViewParameter] = []
  /// The orders by which parameters find elements.
  var indexes: [ViewIndex] = []

  /// The content of a limited view, to whose base the tests and the parameters belong; `nil` if they belong to the base
  /// that the source has. A limited view keeps an older base, with other numbers, as long as its elements are equal.
  var origin: (any ViewOrigin)?

  init(project: (@Sendable (UnsafeRawPointer) -> Element)? = nil) { self.project = project }

  /// This plan with another form of the elements.
  func projected<New>(_ project: @escaping @Sendable (UnsafeRawPointer) -> New) -> ViewPlan<New> {
    var plan = ViewPlan<New>(project: project)
    plan.tests = tests
    plan.orders = orders
    plan.isSectioned = isSectioned
    plan.window = window
    plan.parameters = parameters
    plan.indexes = indexes
    plan.origin = origin
    return plan
  }

  /// This plan with a `project` that returns stored results: `project` is called now, for each element of the base. For
  /// a closure that reads states, so that its results do not change afterwards.
  func materialized(_ slots: EntitySlots) -> ViewPlan {
    guard let project else { return self }
    var made: [UInt: Element] = [:]
    slots.forEach { element, _ in made[UInt(bitPattern: element)] = project(element) }
    return projected { [made] in made[UInt(bitPattern: $0)] ?? project($0) }
  }

  /// A function of the shown element as a function of the address of the element in the base.
  @inlinable
  func reading<Result>(
    _ body: @escaping @Sendable (Element) -> Result
  ) -> @Sendable (UnsafeRawPointer) -> Result {
    if let project { return { body(project($0)) } }
    return { body($0.assumingMemoryBound(to: Element.self).pointee) }
  }

  @inlinable
  mutating func addTest(_ isIncluded: @escaping @Sendable (Element) -> Bool) {
    if let project {
      tests.append { element, _ in isIncluded(project(element)) }
    } else {
      tests.append { element, _ in isIncluded(element.assumingMemoryBound(to: Element.self).pointee) }
    }
  }

  @inlinable
  mutating func addOrder<Key>(
    by key: @escaping @Sendable (Element) -> Key,
    _ areInOrder: @escaping @Sendable (Key, Key) -> Bool
  ) {
    orders.insert(ElementOrder(by: reading(key), areInOrder), at: 0)
  }
}

/// An order of all elements of the base by hashes, by which a parameter finds the elements that it affects.
struct ViewIndex: Sendable {
  let hash: @Sendable (UnsafeRawPointer) -> Int

  var order: ElementOrder { ElementOrder(by: hash, .ascending) }
}

/// The content of a view at a moment, as far as a plan needs it.
protocol ViewOrigin: AnyObject, Sendable {
  var base: ViewBase { get }
}

/// A value on which a view depends besides its base: that of a closure, or another view.
protocol ViewParameter: Sendable {
  /// Finds the elements that are shown differently if this parameter replaces `old`. Example: in a joined view, one
  /// element of the other view has changed. Then these are the elements that refer to it.
  ///
  /// - Parameters:
  ///   - old: the same parameter with an earlier value.
  ///   - numbers: returns the numbers of the earlier elements that have a given hash in an index of the plan. It may
  ///     return further numbers.
  /// - Returns: the numbers of the elements, possibly with further ones; `nil` for all elements.
  func affected(since old: any ViewParameter, numbers: (_ index: Int, _ hash: Int) -> [Int]) -> [Int]?
}

/// A value that a closure of the view has read.
struct ValueParameter<Value: Sendable>: ViewParameter {
  let value: Value

  func affected(since old: any ViewParameter, numbers: (Int, Int) -> [Int]) -> [Int]? {
    guard let old = old as? ValueParameter<Value> else { return nil }
    return Self.isUnchanged(old.value, value) ? [] : nil
  }

  /// Whether two values are equal both by their properties and by their `==`. The comparison of properties skips hidden
  /// ones (`_name`), which a parameter may use. If a type may hide properties and has no `==`, two values count as
  /// different.
  private static func isUnchanged(_ old: Value, _ new: Value) -> Bool {
    guard TypeRecord.areEqual(old, new) else { return false }
    if let type = Value.self as? any Equatable.Type { return type.areSame(old, new) }
    return !(Value.self is any HidesUnderscored.Type)
  }
}

extension Equatable {
  fileprivate static func areSame(_ a: Any, _ b: Any) -> Bool {
    guard let a = a as? Self, let b = b as? Self else { return false }
    return a == b
  }
}
