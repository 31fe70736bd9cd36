internal import BenchmarkStates
public import Observation

/// `DictionaryState` as a model of the standard library's observation: changed in place, without a snapshot.
@Observable
public final class ObservableDictionary {
  public var entries = DictionaryState.entries(10_000)

  /// The initial state.
  public init() {}
}
