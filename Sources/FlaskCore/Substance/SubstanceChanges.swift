/// The changes of one commit: the state before the commit, the state after the commit, and the keys that differ.
///
/// The value may be stored and sent to another thread. It retains both states, but not the substance.
public typealias SubstanceChanges<S: Sendable> = StateChanges<S>

extension StateChanges where State: Sendable {
  /// By the observers of the commit.
  fileprivate init(_ commit: Commit) {
    let both = [commit.storage.pointee.old, commit.storage.pointee.new].map { $0.takeUnretainedValue() }
    // The boxes stay pinned, so that they are never reused. If they were reused, sanitizers would see no order between
    // the reads of other threads and the release of the last reference.
    for box in both { box.pin() }
    let layout = commit.storage.pointee.layout.takeUnretainedValue()
    self.init(commit.changes.pointee, of: layout, from: both[0].address, to: both[1].address, ownedBy: both)
  }
}

/// The commits of a substance as a sequence, with the states before and after.
public typealias StateCommits<S: Sendable> = CommitSequence<SubstanceChanges<S>>

extension TypedSubstance {
  /// The commits of this substance as a sequence: every commit that changes a key, from the creation of the iterator
  /// on. No commit is dropped.
  ///
  /// ```swift
  /// for await change in counter.changes() { log(change.old.count, change.new.count, change.keys) }
  /// ```
  /// The buffer of a slow reader has a copy of the state for each commit.
  public final func changes() -> StateCommits<S> {
    CommitSequence(commitsOf: cell, named: "changes") { SubstanceChanges($0) }
  }
}
