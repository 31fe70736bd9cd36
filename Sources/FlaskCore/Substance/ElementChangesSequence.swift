/// An asynchronous sequence of the changes of the elements of a list. Made by `elementChanges(of:)` of a substance, and
/// by `elementChanges()` of a view.
public struct ElementChangesSequence<List: Collection & Sendable>: AsyncSequence, Sendable
where List.Element: Identifiable {
  /// The changes of the elements since the previous value of the sequence.
  public typealias Element = ElementChanges<List.Element>
  /// Reading never fails.
  public typealias Failure = Never

  let base: StateValues<List>

  package init(base: StateValues<List>) { self.base = base }

  /// Returns an iterator that starts with the current elements. May be called on any thread.
  public func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator()) }

  /// The position of one reader.
  public struct Iterator: AsyncIteratorProtocol {
    var base: StateValues<List>.Iterator
    var last: List?

    /// Waits for the next changes, and returns them; `nil` if the substance was deallocated, or if the task was
    /// cancelled.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Element? {
      while let elements = await base.next(isolation: actor) {
        defer { last = elements }
        guard let last else { return ElementChanges(inserting: elements) }
        let changes = ElementChanges(from: last, to: elements)
        if !changes.isEmpty { return changes }
      }
      return nil
    }
  }
}

@available(*, unavailable)
extension ElementChangesSequence.Iterator: Sendable {}
