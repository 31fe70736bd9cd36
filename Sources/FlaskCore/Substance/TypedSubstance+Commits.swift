internal import Synchronization

/// A commit as it lies in memory, for the modules that make something of it. Good for the call that it is handed to.
package struct CommittedMemory {
  package let layout: StateLayout
  /// What differs between the two states.
  package let changes: UnsafePointer<ChangeSet>
  package let old: UnsafeRawPointer
  package let new: UnsafeRawPointer
}

/// Which operation a commit is of, and whose it is.
package struct CommitOrigin {
  /// The same number for all commits of one operation, and another one for those of the next.
  package let operation: Int
  /// What `MarkedMix` or `Flux.marking` was given, if the operation is of either.
  package let mark: (any AnyObject & Sendable)?
}

extension TypedSubstance {
  /// Calls `handler` on the performing thread with each commit, for as long as the observation is held; told as
  /// observers of everything are.
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

  /// Calls `handler` on its isolation, or on that of the caller, with what is made there of each commit.
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

  /// The commits as a sequence, each as what is made of it on the performing thread.
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

/// Substances of one bus that are changed together, by operations that say whose they are.
package struct MarkedMix: Sendable {
  // Held, since an operation that waits may be all that is left.
  private let substances: [AnySubstance]
  private let flux: Flux

  /// - Parameters:
  ///   - substances: of those that belong to another bus a fault is reported, and they take no part.
  ///   - flux: the bus.
  package init(of substances: [AnySubstance], in flux: Flux) {
    self.flux = flux
    var members: [AnySubstance] = []
    for substance in substances {
      if substance.flux !== flux {
        substance.report(
          .substancesOfDifferentBuses,
          "\(substance.name()) belongs to another bus than the others of an operation, so it takes no part; make all of them "
            + "while the same flux is the current one"
        )
      } else if !members.contains(where: { $0 === substance }) {
        members.append(substance)
      }
    }
    self.substances = members
  }

  /// Performs `body` over all of them as one operation: now or when its turn comes.
  ///
  /// - Parameters:
  ///   - mark: is handed to those who observe commits.
  ///   - isLent: whether `body` writes to the drafts by their addresses; else by `prop`.
  ///   - name: what those who trace are told.
  ///   - fileID: where it was asked for, with `line`.
  package func submit(
    mark: any AnyObject & Sendable,
    lent isLent: Bool,
    named name: String? = nil,
    isolation: (any Actor)?,
    fileID: StaticString,
    line: UInt,
    _ body: @escaping @Sendable () throws -> Void
  ) -> FluxReceipt {
    let kind: OperationIdentity.Kind = substances.count > 1 ? .chain : .mix
    let identity = OperationIdentity(kind, name: name, at: SourcePlace(fileID, line))
    return Borrowed(flux).use {
      $0.perform(identity, isolation: ActorIdentity(isolation)) { [substances] transaction in
        transaction.mark = mark
        for substance in substances {
          if isLent { transaction.lend(substance.cell) } else { transaction.enlist(substance.cell) }
        }
        try body()
        return .commit
      }
    }
  }
}

extension AnySubstance {
  /// The draft, for the closure of an operation that it is lent to.
  package final var lentDraft: UnsafeMutableRawPointer { cell.draft }
}
