internal import Synchronization

/// A commit as it is in memory, for the modules that convert it. It is valid during the call to which it is passed.
package struct CommittedMemory {
  package let layout: StateLayout
  /// The differences between the two states.
  package let changes: UnsafePointer<ChangeSet>
  package let old: UnsafeRawPointer
  package let new: UnsafeRawPointer
}

/// The operation of a commit, and the mark of the operation.
package struct CommitOrigin {
  /// The number of the operation; all commits of one operation have the same number.
  package let operation: Int
  /// The mark of the operation: `FluxTransaction.mark`.
  package let mark: (any AnyObject & Sendable)?
}

extension TypedSubstance {
  /// Calls `handler` on the performing thread with each commit, for as long as the observation is retained; in the
  /// order of the observers of everything.
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
          mark: flux.transaction.mark
        )
        commit.withMemory { handler($0, origin) }
      }
    )
  }

  /// Calls `handler` with the value that `make` produces for each commit. Both run on the isolation of the handler, or
  /// else on that of the caller.
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

  /// The commits as a sequence, each as the value that is made of it on the performing thread.
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
