internal import FlaskDerived
internal import FlaskDiff

/// The elements that a view shows at one moment: a collection that never changes, with random access.
///
/// A copy takes O(1) and no elements are copied. Access by offset or identity takes O(log n).
public struct ViewRows<Element: Identifiable & Sendable>: RandomAccessCollection, Sendable
where Element.ID: Sendable {
  let content: TypedViewContent<Element>
  private let start: Int
  /// The number of elements. Complexity: O(1).
  public let count: Int

  init(_ content: TypedViewContent<Element>) { self.init(content, content.range) }

  /// - Parameter range: of offsets in the content.
  init(_ content: TypedViewContent<Element>, _ range: Range<Int>) {
    self.content = content
    start = range.lowerBound
    count = range.count
  }

  /// 0.
  public var startIndex: Int { 0 }

  /// The number of elements.
  public var endIndex: Int { count }

  /// The element at an offset, which must be from 0 to before ``count``. Complexity: O(log n).
  public subscript(offset: Int) -> Element {
    precondition(offset >= 0 && offset < count, "the offset is out of range")
    return content[start + offset]
  }

  /// The element with an identity; `nil` if it is not among these. Complexity: O(log n), on average.
  public subscript(id id: Element.ID) -> Element? { index(id: id).map { self[$0] } }

  /// The offset of the element with an identity; `nil` if it is not among these. Complexity: O(log n), on average.
  public func index(id: Element.ID) -> Int? {
    content.offset(ofID: id).flatMap { start..<start + count ~= $0 ? $0 - start : nil }
  }

  /// Walks the elements in order: O(1) for each, on average.
  public func makeIterator() -> Iterator { Iterator(content, start..<start + count) }

  /// The position of a walk.
  public struct Iterator: IteratorProtocol {
    private let content: TypedViewContent<Element>
    private var numbers: NumberIterator
    private var rest: Int

    init(_ content: TypedViewContent<Element>, _ range: Range<Int>) {
      self.content = content
      rest = range.count
      numbers = content.numbers(from: range.lowerBound)
    }

    /// The next element; `nil` at the end.
    public mutating func next() -> Element? {
      if rest == 0 { return nil }
      rest -= 1
      return numbers.next().map { content.shown($0) }
    }
  }
}

// The iterator is a value whose nodes are not changed.
extension ViewRows.Iterator: Sendable {}

extension ViewRows: NamedDerivedValue {
  package static var nameOfDerived: String { "a live view of \(Element.self)" }
}

extension ViewRows: IdentifiedCollection {
  package static func areEqual(
    _ a: UnsafePointer<ViewRows>,
    _ b: UnsafePointer<ViewRows>,
    elements areEqual: (UnsafeRawPointer, UnsafeRawPointer) -> Bool
  ) -> Bool {
    let a = a.pointee
    let b = b.pointee
    if a.count != b.count { return false }
    if a.isWhole && b.isWhole {
      if a.content.version == b.content.version { return true }
      // A content that was made from the other one has a version of its own only if what it shows is different.
      if b.content.edits?.version == a.content.version || a.content.edits?.version == b.content.version {
        return false
      }
    }
    return zip(a, b).allSatisfy { a, b in
      withUnsafePointer(to: a) { a in withUnsafePointer(to: b) { areEqual(a, $0) } }
    }
  }

  package static func differingIdentities(
    _ old: UnsafePointer<ViewRows>,
    _ new: UnsafePointer<ViewRows>
  ) -> [Element.ID] {
    let changes = changes(from: old, to: new)
    return changes.insertions.map(\.element.id) + changes.updates.map(\.element.id)
      + changes.removals.map(\.element.id)
  }

  package static func changes(
    from old: UnsafePointer<ViewRows>,
    to new: UnsafePointer<ViewRows>
  ) -> ElementChanges<Element> {
    let old = old.pointee
    let new = new.pointee
    if old.isWhole && new.isWhole {
      return new.content.changes(from: old.content)
    }
    return ElementChanges(from: Array(old), to: Array(new))
  }

  package func withElement(_ id: Element.ID, _ body: (UnsafeRawPointer) -> Void) -> Bool {
    guard let element = self[id: id] else { return false }
    withUnsafePointer(to: element) { body($0) }
    return true
  }

  /// Whether these are all elements of the content, and not those of a section.
  private var isWhole: Bool { start == content.range.lowerBound && count == content.range.count }
}

extension ViewRows: Equatable where Element: Equatable {
  /// Whether two collections have equal elements in the same order. Complexity: O(n).
  public static func == (a: ViewRows, b: ViewRows) -> Bool { a.elementsEqual(b) }
}

extension ViewRows: CustomStringConvertible, CustomReflectable {
  /// The elements as an array describes them.
  public var description: String { Array(self).description }

  /// The elements as children without labels, like those of an array.
  public var customMirror: Mirror { Mirror(self, unlabeledChildren: self, displayStyle: .collection) }
}
