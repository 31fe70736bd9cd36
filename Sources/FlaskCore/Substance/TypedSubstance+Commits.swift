internal import Synchronization

/// The addresses of both states of a commit and their differences, for modules that convert commits. They are valid
/// only during the call that gets this value.
package struct CommittedMemory {
  package let layout: StateLayout
  /// The differences between the two states.
  package let changes: UnsafePointer<ChangeSet>
  package let old: UnsafeRawPointer
  package let new: UnsafeRawPointer
}

/// The operation of a commit, and the object that identifies the origin of the operation.
package struct CommitOrigin {
  /// The number of the operation; all commits of one operation have the same number.
  package let operation: Int
  /// The mark of the operation: `OperationDrafts.mark`.
  package let mark: (any AnyObject & Sendable)?
}

extension TypedSubstance {
  /// Calls `handler` with each commit, on the thread that performs the operation, for as long as the observation is
  /// retained. It is called in the order of all observers of the whole state.
  package final func observeCommits(
    _ handler: @escaping (CommittedMemory, CommitOrigin) -> Void
  ) -> SubstanceObservation {
    let flux = cell.flux
    return observe(
      key: -1,
      on: .none,
      { commit in
        let origin = CommitOrigin(
          operation: flux.queue.epoch.load(ordering: .relaxed),
          mark: flux.drafts.mark
        )
        commit.withMemory { handler($0, origin) }
      }
    )
  }

  /// Calls `handler` with the value that `make` produces for each commit. Both closures run on the isolation of
  /// `handler`, or, if it has none, on `isolation`.
  package final func observeCommits<Element>(
    isolated handler: @escaping @isolated(any) @Sendable (Element) -> Void,
    from isolation: (any Actor)?,
    _ make: @escaping (CommittedMemory) -> Element
  ) -> SubstanceObservation {
    let plain = PlainFunction.of(handler)
    return observe(
      key: -1,
      on: HandlerIsolation(handler.isolation ?? isolation),
      { $0.withMemory { plain(make($0)) } }
    )
  }

  /// The commits as a sequence of the values that `make` returns. `make` runs on the performing thread.
  package final func commits<Element: Sendable>(
    named name: String,
    _ make: @escaping @Sendable (CommittedMemory) -> Element
  ) -> CommitSequence<Element> {
    CommitSequence(commitsOf: cell, named: name) { $0.withMemory(make) }
  }
}

extension Commit {
  fileprivate func withMemory<Result>(_ body: (CommittedMemory) -> Result) -> Result {
    let states = beginReading()
    defer { endReading(isPinned: states.isPinned) }
    return withLayout {
      body(CommittedMemory(layout: $0, changes: changes, old: states.old, new: states.new))
    }
  }
}
