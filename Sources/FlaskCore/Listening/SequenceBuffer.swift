internal import FlaskPrimitives

/// A buffer for the elements of an asynchronous sequence, between the thread that performs a mix and the readers.
package final class SequenceBuffer<Element: Sendable>: Sendable {
  private struct State {
    var elements = FIFOQueue<Element>()
    /// The waiting readers, in the order of their arrival. Several readers can wait only if an iterator was copied.
    var readers = FIFOQueue<CheckedContinuation<Element?, Never>>()
    var isFinished = false
    var observation: SubstanceObservation?
  }

  private let state = Lock(State())
  private let limit: Int

  /// - Parameter limit: the number of elements that are buffered for a slow reader, at least one. When the buffer is
  ///   full, the oldest element is dropped.
  init(limit: Int) { self.limit = limit }

  /// Retains the observation that fills the buffer. The end of the sequence cancels this observation.
  func hold(_ observation: SubstanceObservation) {
    let isLate = state.withLock { state in
      if !state.isFinished { state.observation = observation }
      return state.isFinished
    }
    if isLate { observation.cancel() }
  }

  /// Passes an element to a waiting reader, or buffers it, unless the sequence has ended.
  ///
  /// - Returns: the number of buffered elements; 0 if it was not buffered.
  @discardableResult
  package func append(_ element: Element) -> Int {
    var dropped: Element?
    let (reader, count) = state.withLock { state -> (CheckedContinuation<Element?, Never>?, Int) in
      if state.isFinished { return (nil, 0) }
      if let reader = state.readers.popFirst() { return (reader, 0) }
      if state.elements.count >= limit { dropped = state.elements.popFirst() }
      state.elements.append(element)
      return (nil, state.elements.count)
    }
    reader?.resume(returning: element)
    // The dropped element is released without a lock, since it may be the last reference to a client object.
    withExtendedLifetime(dropped) {}
    return count
  }

  /// Ends the sequence after the buffered elements.
  package func finish() { end(dropsElements: false) }

  /// Ends the sequence at once, and drops its elements.
  func cancel() { end(dropsElements: true) }

  private func end(dropsElements: Bool) {
    let (readers, elements, observation) = state.withLock { state in
      state.isFinished = true
      return (
        state.readers.removeAll(),
        dropsElements ? state.elements.removeAll() : [],
        state.observation.take()
      )
    }
    for reader in readers { reader.resume(returning: nil) }
    withExtendedLifetime(elements) {}
    observation?.cancel()
  }

  /// Waits for the next element, and returns it; `nil` if the sequence has ended, or if the task was cancelled.
  func next(isolation: isolated (any Actor)?) async -> Element? {
    let element = await withTaskCancellationHandler {
      await withCheckedContinuation { reader in
        let (element, isDone) = state.withLock { state -> (Element?, Bool) in
          if let element = state.elements.popFirst() { return (element, true) }
          if !state.isFinished { state.readers.append(reader) }
          return (nil, state.isFinished)
        }
        if isDone { reader.resume(returning: element) }
      }
    } onCancel: {
      cancel()
    }
    // The lock shows sanitizers that the writing thread precedes this one. They do not see that the continuation was
    // resumed.
    return state.withLock { _ in element }
  }
}

/// Ends a sequence when its iterator is released: the iterator is a struct, which has no `deinit`.
package final class SequenceReader<Element: Sendable>: Sendable {
  let buffer: SequenceBuffer<Element>

  init(_ buffer: SequenceBuffer<Element>) { self.buffer = buffer }

  deinit { buffer.cancel() }
}
