/// The changes of one commit: the state before it, the state after it, and the keys that differ.
///
/// It may be kept, sent and compared with others of any side; it holds both states, and not the substance.
public typealias SubstanceChanges<S: Sendable> = StateChanges<S>

extension StateChanges where State: Sendable {
  /// By the observers of the commit.
  fileprivate init(_ commit: Commit) {
    let both = [commit.storage.pointee.old, commit.storage.pointee.new].map { $0.takeUnretainedValue() }
    // Never unpinned: at the release of the last reference, no order that a sanitizer sees covers the reads of others.
    for box in both { box.pin() }
    let layout = commit.storage.pointee.layout.takeUnretainedValue()
    self.init(commit.changes.pointee, of: layout, from: both[0].address, to: both[1].address, ownedBy: both)
  }
}

/// The commits of a substance as a sequence, with the states before and after.
public typealias StateCommits<S: Sendable> = CommitSequence<SubstanceChanges<S>>

extension TypedSubstance {
  /// The commits of this substance as a sequence: every commit after the creation of the iterator that changes a key,
  /// none dropped.
  ///
  /// ```swift
  /// for await change in counter.changes() { log(change.old.count, change.new.count, change.keys) }
  /// ```
  /// The buffer of a slow reader has a copy of the state for each commit.
  public final func changes() -> StateCommits<S> {
    CommitSequence(commitsOf: cell, named: "changes") { SubstanceChanges($0) }
  }
}
