internal import FlaskPrimitives

/// An object that keeps states, or parts of states, from before an operation, such as the old values of undo steps.
package protocol StateKeeper: AnyObject, Sendable {
  /// The operation in progress installs a state that was read after its substance had been made. Called by the
  /// performer, before the commit.
  ///
  /// - Parameters:
  ///   - operation: the number of the last operation before the reading began.
  ///   - rebased: returns what a state since then would be if the substance had been made with the state that was read.
  func rebase(_ cell: Cell, since operation: Int, _ rebased: (StateBox) -> StateBox)
}

/// The state keepers of a flux. They are retained until their registrations end, since weak references would slow each
/// of their uses.
package final class StateKeepers: Sendable {
  /// A keeper is registered as long as this object lives.
  package final class Registration: Sendable {
    private let keeper: any StateKeeper
    private let keepers: StateKeepers

    fileprivate init(_ keeper: any StateKeeper, _ keepers: StateKeepers) {
      self.keeper = keeper
      self.keepers = keepers
    }

    deinit { keepers.entries.withLock { $0.removeAll { $0 === keeper } } }
  }

  private let entries = Lock<[any StateKeeper]>([])

  package var all: [any StateKeeper] { entries.withLock { $0 } }

  package func register(_ keeper: any StateKeeper) -> Registration {
    entries.withLock { $0.append(keeper) }
    return Registration(keeper, self)
  }
}

extension Flux {
  package var stateKeepers: StateKeepers { attachment { _ in StateKeepers() } }
}
