/// A list that has one element in most cases, which is stored inline.
///
/// Elements beyond the first are stored on the heap. The heap memory is kept while the list is reused.
struct ShortList<Element> {
  private var first: Element?
  private var others: [Element] = []

  var count: Int { (first == nil ? 0 : 1) + others.count }
  var isEmpty: Bool { first == nil }

  /// A list with its own copy of the elements.
  var copied: ShortList {
    var copy = self
    copy.others = others.withUnsafeBufferPointer { Array($0) }
    return copy
  }

  /// Replaces all elements by those of an array. Complexity: linear in the old and the new elements.
  mutating func replaceAll(by elements: borrowing [Element]) {
    // `removeAll` would reallocate shared memory, and costs more for an empty list.
    while others.popLast() != nil {}
    first = elements.first
    for index in elements.indices.dropFirst() { others.append(elements[index]) }
  }
}

extension ShortList: RandomAccessCollection {
  var startIndex: Int { 0 }
  var endIndex: Int { count }

  subscript(index: Int) -> Element {
    if index > 0 { return others[index - 1] }
    guard let first else { preconditionFailure("an index beyond the end of a list") }
    return first
  }
}

extension ShortList: Sendable where Element: Sendable {}
