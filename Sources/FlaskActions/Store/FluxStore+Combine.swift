#if canImport(Combine)
  public import Combine

  extension FluxStore: ObservableObject {
    /// The publisher that sends on the main thread after the state has changed. It may send once for several changes
    /// that were made on other threads.
    public final var objectWillChange: ObservableObjectPublisher {
      let (combine, isNew) = publisher.attachment { CombinePublisher() }
      if isNew { publisher.add { combine.publisher.send() } }
      return combine.publisher
    }
  }

  /// The publisher of a store.
  ///
  /// `@unchecked Sendable`:
  /// - Invariant: constant; a subject of Combine may be subscribed to and sent to on any thread.
  /// - If violated: a data race.
  private final class CombinePublisher: @unchecked Sendable {
    let publisher = ObservableObjectPublisher()
  }
#endif
