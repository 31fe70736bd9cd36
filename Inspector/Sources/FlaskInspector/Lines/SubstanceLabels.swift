internal import Synchronization

/// What the page calls substances, which are rows there: each by its name, and of those with one name the first.
final class SubstanceLabels: Sendable {
  private struct Called: Hashable {
    let number: Int
    let name: String
  }

  private struct State {
    var labels: [Called: String] = [:]
    /// Those that somebody has.
    var taken: Set<String> = []
    /// How many have each name.
    var counts: [String: Int] = [:]
  }

  /// How many are told apart; any further share a row with the first of their name.
  private static let limit = 10_000

  private let state = Mutex(State())

  /// The same for the same substance as long as it has this name.
  func label(of number: Int, named name: String) -> String {
    // A name that was made of the number is nobody else's.
    if name.hasSuffix("#\(number)") { return name }
    return state.withLock { state in
      let called = Called(number: number, name: name)
      if let label = state.labels[called] { return label }
      if state.labels.count >= SubstanceLabels.limit { return name }
      var label = name
      while !state.taken.insert(label).inserted {
        state.counts[name, default: 1] += 1
        label = "\(name) (\(state.counts[name, default: 1]))"
      }
      state.labels[called] = label
      return label
    }
  }
}
