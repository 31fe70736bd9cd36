#if canImport(Combine)
  public import Combine

  extension FluxStore: ObservableObject {
    /// Sends on the main thread whenever the state has changed.
    public final var objectWillChange: ObservableObjectPublisher {
      let (combine, isNew) = publisher.attachment { CombinePublisher() }
      if isNew { publisher.add { combine.publisher.send() } }
      return combine.publisher
    }
  }

  /// The publisher of a store.
  ///
  /// `@unchecked Sendable`: constant, and subscribing and sending are safe on any thread.
  private final class CombinePublisher: @unchecked Sendable {
    let publisher = ObservableObjectPublisher()
  }
#endif
