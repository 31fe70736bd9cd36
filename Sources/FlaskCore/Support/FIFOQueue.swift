/// A first-in-first-out queue. Appending and removing the first element take amortised constant time, and its memory
/// shrinks after a burst.
package struct FIFOQueue<Element> {
  private var elements: [Element?] = []
  private var head = 0

  package init() {}

  var count: Int { elements.count - head }
  @inline(__always) package var isEmpty: Bool { elements.count == head }

  /// The first element that satisfies the condition. Complexity: O(n).
  func first(where isWanted: (Element) -> Bool) -> Element? {
    elements[head...].first { $0.map(isWanted) ?? false } ?? nil
  }

  /// The first element; `nil` if there is none.
  package var first: Element? { head < elements.count ? elements[head] : nil }

  /// The elements that satisfy the condition, in order. Complexity: O(n).
  package func filter(_ isWanted: (Element) -> Bool) -> [Element] {
    elements[head...].compactMap { $0 }.filter(isWanted)
  }

  package mutating func append(_ element: Element) { elements.append(element) }

  package mutating func popFirst() -> Element? {
    guard head < elements.count else { return nil }
    let element = elements[head].take()
    head += 1
    if head == elements.count {
      elements.removeAll(keepingCapacity: elements.capacity <= 64)
      head = 0
    } else if head >= 64 && head * 2 >= elements.count {
      elements.removeFirst(head)
      head = 0
    }
    return element
  }

  /// Inserts an element at the front, such as one that was removed from there.
  mutating func prepend(_ element: Element) {
    if head > 0 {
      head -= 1
      elements[head] = element
    } else {
      elements.insert(element, at: 0)
    }
  }

  /// The number of elements that satisfy the condition. Complexity: O(n).
  func count(where isWanted: (Element) -> Bool) -> Int {
    elements[head...].count { $0.map(isWanted) ?? false }
  }

  /// Whether any element satisfies the condition. The search starts with the last element.
  func contains(where isWanted: (Element) -> Bool) -> Bool {
    elements[head...].last { $0.map(isWanted) ?? false } != nil
  }

  /// Removes the first element that satisfies the condition. Complexity: O(n).
  mutating func removeFirst(where isWanted: (Element) -> Bool) -> Element? {
    guard let index = elements[head...].firstIndex(where: { $0.map(isWanted) ?? false }) else { return nil }
    return elements.remove(at: index)
  }

  /// Takes everything out, in order.
  mutating func removeAll() -> [Element] {
    defer { self = FIFOQueue() }
    return elements[head...].compactMap { $0 }
  }
}
