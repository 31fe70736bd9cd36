internal import FlaskPrimitives

/// An object that keeps states, or parts of states, from before an operation, such as the old values of undo steps.
package protocol StateKeeper: AnyObject, Sendable {
  /// Rebases the kept states on a state from a `DeferredArchive`, which the operation in progress installs. Called by
  /// the performer, before the commit.
  ///
  /// Example: a substance was made with the title "" as a placeholder, and a mix set the title to "B". The archived
  /// title is "A". The title stays "B", but the undo step must now lead to "A" instead of "".
  ///
  /// - Parameters:
  ///   - operation: the number of the last operation before the archive was opened.
  ///   - placeholder: the state with which the substance was made.
  ///   - rebased: converts a state of a later operation. Returns the state that the substance would have had, if it had
  ///     been made with the archived state.
  func rebase(
    _ cell: Cell,
    since operation: Int,
    from placeholder: StateBox,
    _ rebased: (StateBox) -> StateBox
  )

  /// The drafts of an operation were compared, and are about to be published. Called by the performer, if the operation
  /// has a mark, or if changes of one of its substances are pending.
  ///
  /// - Returns: the substances for which `confirmed(_:besides:)` returns another state once the drafts are published.
  func willPublish(in drafts: OperationDrafts) -> [Cell]

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

  /// Returns the states that archives save once the drafts of the operation in progress are published. Only substances
  /// whose saved state changes are included.
  func willPublish(in drafts: OperationDrafts) -> [(cell: Cell, box: StateBox?)] {
    let all = all
    return StateKeepers.confirmed(all.flatMap { $0.willPublish(in: drafts) }, by: all)
  }

  /// Exchanges the states that archives save, together, without a commit. Called by the performer. The substances
  /// belong to one flux.
  ///
  /// Precondition: the operation in progress does not change these substances, or nothing saves them before its commit.
  /// Otherwise an archive could save changes that are not committed yet.
  package func exchangeConfirmed(of cells: [Cell]) {
    guard let snapshotLock = cells.first?.snapshotLock else { return }
    let new = StateKeepers.confirmed(cells, by: all)
    let replaced = snapshotLock.withLock { _ in new.map { $0.cell.exchangeConfirmed($0.box) } }
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
