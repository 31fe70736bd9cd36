/// A queue with amortised constant-time ends, whose memory shrinks back once a burst is over.
struct FirstInFirstOut<Element> {
  private var elements: [Element?] = []
  private var head = 0

  var count: Int { elements.count - head }
  @inline(__always) var isEmpty: Bool { elements.count == head }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func popFirst() -> Element? {
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
}
