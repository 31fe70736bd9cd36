/// Decides which elements of its base a view shows: those that pass all tests.
@usableFromInline
struct ElementTests: Sendable {
  /// The address is that of the element, the number its number in the base.
  @usableFromInline
  typealias Test = @Sendable (_ element: UnsafeRawPointer, _ number: Int) -> Bool

  /// A struct around each closure: generic code such as `Array` would otherwise wrap the closure in a thunk.
  private struct Box: Sendable { let passes: Test }

  private var all: [Box] = []

  init() {}

  init(_ test: @escaping Test) { all = [Box(passes: test)] }

  var isEmpty: Bool { all.isEmpty }

  @usableFromInline
  mutating func append(_ test: @escaping Test) { all.append(Box(passes: test)) }

  func pass(_ element: UnsafeRawPointer, _ number: Int) -> Bool {
    for test in all where !test.passes(element, number) { return false }
    return true
  }
}
