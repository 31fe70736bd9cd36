internal import Dispatch
internal import FlaskPrimitives

// Gives the node of a derived value its base value when an observer is added.
extension AnyDerivedNode {
  /// Ensures that an observer that was just added is notified of each change since the current value.
  final func keep() {
    // A closure that observes its own derived value would add observers and be computed without end, also by way of
    // others. The innermost observer gets its base value a little later.
    AnyDerivedNode.keeping.deeper { depth in
      if depth <= AnyDerivedNode.mostKeeping { return keepNow() }
      let (isDone, old) = state.withLock { (registerForObserver(&$0), fillSubstance(&$0)) }
      withExtendedLifetime(old) {}
      if isDone { return }
      DispatchQueue(label: "Flask.derived").async { self.keep() }
    }
  }

  private static let keeping = ThreadCounter()
  /// How many derived values get an observer while another one is computed for its observer, at most.
  private static var mostKeeping: Int { 8 }

  private final func keepNow() {
    // The caller may run inside of a consistent read, which may show the states of an earlier moment. That read is
    // suspended here, since the base value for the new observer must be the present value.
    CurrentReader.suspended {
      // Most often one attempt to set the base value is enough. A second one is needed if an operation gathered the
      // nodes to refresh before this registration, and committed a source since. A third one is needed only if a
      // closure changes its own sources.
      for _ in 0..<100 {
        if state.withLock({ registerForObserver(&$0) }) { return }
        if tryPlace(record(), at: { $0.publishedVersion }).isDone { return }
      }
      _ = tryPlace(record(), at: nil)
      refreshLater()
    }
  }

  /// Registers the node with the substances on which it depends, if it is not registered.
  ///
  /// - Returns: `true` if nothing is left to do: the node is closed, or was already registered and has a base value.
  private final func registerForObserver(_ state: inout DerivedState) -> Bool {
    if let substances = state.observerAdded() { register(with: substances, &state) }
    return !state.needsBase
  }

  /// Gives the node's substance the newest value if it has none, for an observer that is added before there is a base
  /// value.
  ///
  /// - Returns: objects that the caller must release while it holds no lock.
  private final func fillSubstance(_ state: inout DerivedState) -> [StateBox] {
    guard let record = state.recordToShow() else { return [] }
    return notifier?.use { $0.install(record.box) } ?? []
  }
}
