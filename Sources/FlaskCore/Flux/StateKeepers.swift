internal import FlaskPrimitives

/// An object that keeps states, or parts of states, from before an operation, such as the old values of undo steps.
package protocol StateKeeper: AnyObject, Sendable {
  /// The operation in progress installs a state that was read after its substance had been made. Called by the
  /// performer, before the commit.
  ///
  /// - Parameters:
  ///   - operation: the number of the last operation before the reading began.
  ///   - placeholder: the initial state.
  ///   - rebased: returns what a state since then would be if the substance had been made with the state that was read.
  func rebase(
    _ cell: Cell,
    since operation: Int,
    from placeholder: StateBox,
    _ rebased: (StateBox) -> StateBox
  )

  /// The drafts of an operation were compared, and are about to be published. Called by the performer, if the operation
  /// has a mark, or if changes of one of its substances are pending.
  ///
  /// - Returns: the substances whose `confirmed(_:besides:)` is another one from the publication on.
  func willPublish(in transaction: FluxTransaction) -> [Cell]

  /// The state in a substance's draft without the pending changes of this keeper. Called by the performer.
  ///
  /// - Parameter other: the state without the pending changes of other keepers; `nil` if they have none.
  /// - Returns: the state without both; `nil` if nothing is pending.
  func confirmed(_ cell: Cell, besides other: StateBox?) -> StateBox?
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

  init() {}

  private let entries = Lock<[any StateKeeper]>([])

  package var all: [any StateKeeper] { entries.withLock { $0 } }

  package func register(_ keeper: any StateKeeper) -> Registration {
    entries.withLock { $0.append(keeper) }
    return Registration(keeper, self)
  }

  /// Returns what archives save once the drafts of the operation in progress are published, of the substances for which
  /// it changes.
  func willPublish(in transaction: FluxTransaction) -> [(cell: Cell, box: StateBox?)] {
    let all = all
    return StateKeepers.confirmed(all.flatMap { $0.willPublish(in: transaction) }, by: all)
  }

  /// Exchanges what archives save at once, without a commit. Called by the performer. The substances belong to one
  /// flux, and the operation does not change them, or nothing saves them before it is committed.
  package func exchangeConfirmed(of cells: [Cell]) {
    guard let snapshots = cells.first?.snapshots else { return }
    let new = StateKeepers.confirmed(cells, by: all)
    let replaced = snapshots.withLock { _ in new.map { $0.cell.exchangeConfirmed($0.box) } }
    // Released without the lock, since a `deinit` of client code may run.
    withExtendedLifetime(replaced) {}
  }

  private static func confirmed(
    _ cells: [Cell],
    by keepers: [any StateKeeper]
  ) -> [(cell: Cell, box: StateBox?)] {
    cells.map { cell in (cell, keepers.reduce(nil) { $1.confirmed(cell, besides: $0) }) }
  }
}
