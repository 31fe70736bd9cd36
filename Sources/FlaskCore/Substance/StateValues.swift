/// The values of a state as a sequence: first the current value, then a value after each change.
///
/// ```swift
/// for await count in counter.values(of: \.count) { label.text = "\(count)" }
/// ```
/// A slow reader gets only the newest value, and skips the values before it. The sequence does not retain the
/// substance. It ends when the reading task is cancelled, or when the substance is deallocated. Each iterator has its
/// own position, and starts with the value at its creation. A released iterator retains nothing.
public struct StateValues<Element: Sendable>: AsyncSequence, Sendable {
  /// Reading never fails.
  public typealias Failure = Never

  private let limit: Int
  private let begin: @Sendable (SequenceBuffer<Element>) -> SubstanceObservation?

  /// - Parameters:
  ///   - limit: the number of elements that are buffered for a slow reader, at least one. When the buffer is full, the
  ///     oldest element is dropped.
  ///   - begin: starts an observation that fills the buffer while the returned object is retained. Returns `nil` if the
  ///     substance was deallocated.
  package init(
    limit: Int = 1,
    _ begin: @escaping @Sendable (SequenceBuffer<Element>) -> SubstanceObservation?
  ) {
    self.limit = limit
    self.begin = begin
  }

  /// Returns an iterator that starts with the current value, or, for a sequence of commits, with the next commit. May
  /// be called on any thread.
  public func makeAsyncIterator() -> Iterator {
    let buffer = SequenceBuffer<Element>(limit: limit)
    buffer.fill(begin)
    return Iterator(reader: SequenceReader(buffer))
  }

  /// The position of one reader.
  public struct Iterator: AsyncIteratorProtocol {
    package let reader: SequenceReader<Element>

    /// Waits for the next element, and returns it: the newest unread values, or the element made of the next commit.
    /// The result is `nil` when the substance was deallocated and the buffered elements have been read, or the task was
    /// cancelled.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Element? {
      await reader.buffer.next(isolation: actor)
    }
  }
}

@available(*, unavailable)
extension StateValues.Iterator: Sendable {}

extension SequenceBuffer {
  /// Starts an observation that fills the buffer.
  func fill(_ begin: (SequenceBuffer<Element>) -> SubstanceObservation?) {
    if let observation = begin(self) { hold(observation) } else { finish() }
  }
}

extension ValueReader where Values: Sendable {
  /// The values as a sequence. The sequence retains the cell, and not the substance.
  ///
  /// - Parameters:
  ///   - object: an object that the sequence and its iterators retain.
  ///   - read: reads the initial value.
  package func sequence(
    of cell: Cell,
    holding object: (any AnyObject & Sendable)? = nil,
    reading read: @escaping @Sendable (Cell, StartingState) -> StateBox = { $1.read(from: $0) }
  ) -> StateValues<Values> {
    StateValues { buffer in
      cell.observation(endedBy: { buffer.finish() }) { end in
        let observation = observe(
          cell,
          on: .none,
          callerIsolation: .none,
          subjectIsGone: end,
          reading: read
        ) { buffer.append($0) }
        if let object { observation.hold(object) }
        return observation
      }
    }
  }
}

extension Cell {
  /// Makes an observation for a caller that does not retain the substance. The result is `nil` if the substance was
  /// deallocated. `end` is called when the substance is deallocated.
  package func observation(
    endedBy end: @escaping @Sendable () -> Void,
    _ make: (@escaping () -> Void) -> SubstanceObservation
  ) -> SubstanceObservation? {
    guard subject.isAlive else { return nil }
    let observation = make(end)
    // Checks again, since the substance may have been deallocated before the listener was added.
    if subject.isAlive { return observation }
    observation.cancel()
    return nil
  }

  /// Calls `end` when the substance is deallocated, for as long as the result is retained.
  package func whenGone(_ end: @escaping () -> Void) -> SubstanceObservation {
    let listener = Listener(isSilent: true, isolation: .none, subjectIsGone: end)
    listeners.add(listener, key: -1)
    return SubstanceObservation(listener, among: listeners, key: -1)
  }
}

extension TypedSubstance {
  /// The values at some key paths as a sequence: the current values, then the values after each change of any of them.
  /// A slow reader gets the newest.
  ///
  /// ```swift
  /// for await (count, name) in counter.values(of: \.count, \.name) { … }
  /// ```
  /// The values of one element come from one commit. For key paths that do not lead to stored properties, and are
  /// evaluated on the performing thread, see `observe(_:_:)`.
  public final func values<each Value: Sendable>(
    of keyPath: repeat KeyPath<S, each Value>
  ) -> StateValues<(repeat each Value)> {
    reader(of: repeat each keyPath).sequence(of: cell)
  }
}
