public import BenchmarkStates

/// The bound for a large dictionary: an old and a new value side by side, as any framework with value snapshots has
/// them, which costs one copy of the dictionary's storage.
public final class DictionarySnapshotStore {
  private var state: DictionaryState
  private let onEntry: (Int?, Int?) -> Void
  private let watched: String

  /// A store of `count` entries that watches one of them.
  ///
  /// - Parameters:
  ///   - count: the number of entries.
  ///   - watched: the key that is watched.
  ///   - onEntry: called with the old and the new value when the watched entry has changed.
  public init(count: Int = 10_000, watching watched: String, onEntry: @escaping (Int?, Int?) -> Void) {
    self.watched = watched
    self.onEntry = onEntry
    state = DictionaryState()
    if count != 10_000 { state.entries = DictionaryState.entries(count) }
  }

  /// Changes the state.
  @inline(never)
  public func mutate(_ body: @escaping (inout DictionaryState) -> Void) {
    let old = state
    body(&state)
    let oldEntry = old.entries[watched]
    let newEntry = state.entries[watched]
    if oldEntry != newEntry { onEntry(oldEntry, newEntry) }
  }
}
